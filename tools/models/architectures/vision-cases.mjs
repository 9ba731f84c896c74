// Architectures of vision: their sizes in the benchmark, and what is smaller in tests.
import * as dense from './dense.mjs';
import { qlinearMobilenet } from './qlinear.mjs';
import * as vision from './vision.mjs';
import * as transformers from './vision-transformers.mjs';

const tinyResnet = { side: 32, width: 4, depth: 1, classes: 10 };
const tinyVit = { side: 32, layers: 1, hidden: 32, heads: 4, classes: 10 };

export const visionArchitectures = {
  'resnet18 fp32': { make: vision.resnet, tiny: tinyResnet },
  'resnet18 fp16': { make: vision.resnet, type: 'float16', side: 96, tiny: tinyResnet },
  'resnet18 qdq': { make: vision.resnet, products: 'qdq', tiny: tinyResnet },
  mobilenetv2: {
    make: vision.mobilenetV2,
    tiny: {
      side: 32,
      classes: 10,
      stages: [
        [1, 16, 1, 1],
        [6, 16, 2, 1],
      ],
    },
  },
  mobilenetv3: {
    make: vision.mobilenetV3,
    tiny: {
      side: 32,
      classes: 10,
      stages: [
        [3, 16, 16, true, false, 2],
        [5, 32, 16, true, true, 1],
      ],
    },
  },
  efficientnet: {
    make: vision.efficientnet,
    tiny: {
      side: 32,
      classes: 10,
      stages: [
        [1, 16, 1, 1, 3],
        [6, 16, 2, 1, 5],
      ],
    },
  },
  convnext: { make: vision.convnext, tiny: { side: 32, widths: [8, 16], depths: [1, 1], classes: 10 } },
  'style transfer': { make: vision.styleTransfer, tiny: { side: 16, width: 4, blocks: 1 } },
  'super-resolution': { make: vision.superResolution, tiny: { side: 12, width: 8, layers: 1 } },
  autoencoder: { make: vision.autoencoder, tiny: { side: 16, width: 4, middle: 8 } },
  yolov8n: { make: dense.yolo, tiny: { side: 32, width: 4, classes: 5 } },
  ssd: { make: dense.ssd, tiny: { side: 64, width: 4, classes: 5 } },
  'u-net': { make: dense.unet, tiny: { side: 16, width: 4, levels: 3 } },
  deeplab: { make: dense.deeplab, tiny: { side: 32, width: 4, classes: 5 } },
  'text detector': { make: dense.textDetector, tiny: { side: 32, width: 8 } },
  crnn: { make: dense.crnn, tiny: { length: 16, width: 4, hidden: 8, classes: 20 } },
  'vit fp32': { make: transformers.vit, tiny: tinyVit },
  'vit q8': { make: transformers.vit, products: 'dynamic', tiny: tinyVit },
  'deit dynamo': {
    make: transformers.vit,
    kind: 'deit',
    form: 'dynamo',
    opset: 20,
    hidden: 192,
    heads: 3,
    layers: 10,
    tiny: tinyVit,
  },
  'clip vision fp16': { make: transformers.vit, kind: 'clip', form: 'sdpa', type: 'float16', side: 128, tiny: tinyVit },
  swin: { make: transformers.swin, tiny: { side: 32, window: 4, hidden: 16, heads: 2, depths: [2, 1], classes: 10 } },
  segformer: {
    make: transformers.segformer,
    tiny: { side: 64, widths: [8, 8, 10, 16], depths: [1, 1, 1, 1], classes: 5 },
  },
  detr: {
    make: transformers.detr,
    tiny: { side: 64, width: 4, hidden: 16, heads: 2, layers: 1, queries: 5, classes: 6 },
  },
  'mobilenet qlinear': {
    make: qlinearMobilenet,
    isQuantised: true,
    tiny: {
      side: 32,
      classes: 10,
      stages: [
        [1, 16, 1, 1],
        [6, 16, 2, 1],
      ],
    },
  },
};
