import type { ImageOptions } from './options.js';

const byte = 1 / 255;
const imagenetScale = { scale: byte, mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] } as const;
const halfScale = { scale: byte, mean: 0.5, std: 0.5 } as const;
const ocr = { fit: 'contain', position: 'top-left', antialias: false, channels: 'bgr' } as const;

/**
 * How well-known families of models want their images: plain options for {@link ImageMethods.fromImage}, to be spread and changed.
 * Each has the name of its source.
 */
export type ImagePresets = {
  /** Classifiers of torchvision, such as ResNet (`torchvision.transforms.ImageClassification(crop_size=224)`). */
  readonly imagenet: ImageOptions<'float32'>;
  /** CLIP (`openai/clip-vit-base-patch32`, preprocessor_config.json). */
  readonly clip: ImageOptions<'float32'>;
  /** SigLIP (`google/siglip-base-patch16-224`, preprocessor_config.json). */
  readonly siglip: ImageOptions<'float32'>;
  /** Vision transformers (`google/vit-base-patch16-224`, preprocessor_config.json). */
  readonly vit: ImageOptions<'float32'>;
  /** DeiT (`facebook/deit-base-distilled-patch16-224`, preprocessor_config.json). */
  readonly deit: ImageOptions<'float32'>;
  /** DINOv2 (`facebook/dinov2-base`, preprocessor_config.json). */
  readonly dinov2: ImageOptions<'float32'>;
  /** MobileNet v1 and v2 (`google/mobilenet_v2_1.0_224`, preprocessor_config.json). */
  readonly mobilenet: ImageOptions<'float32'>;
  /** YOLOv5, v8 to v11 and their kin (Ultralytics, `LetterBox` with its default colour). */
  readonly yolo: ImageOptions<'float32'>;
  /** YOLOX (Megvii, `yolox/data/data_augment.py`, `preproc`): bytes of blue, green and red. */
  readonly yolox: ImageOptions<'float32'>;
  /** Segment Anything's encoder (`facebook/sam-vit-base`, preprocessor_config.json). It fills with zeros; this with the mean, as a byte. */
  readonly sam: ImageOptions<'float32'>;
  /**
   * Text detection of PP-OCR (PaddleOCR, `NormalizeImage` and `DetResizeForTest`). PaddleOCR leaves small pages as they are;
   * this is one size for all, which keeps their proportions.
   */
  readonly 'ppocr-detection': ImageOptions<'float32'>;
  /** Text recognition of PP-OCR (PaddleOCR, `RecResizeImg`): one line of text. It fills with zeros; this with 128, which is nearly 0. */
  readonly 'ppocr-recognition': ImageOptions<'float32'>;
  /**
   * Text direction of PP-OCR (PaddleOCR, `ClsResizeImg`): one line of text. PaddleOCR squeezes lines that are longer (`fit: 'fill'`).
   */
  readonly 'ppocr-direction': ImageOptions<'float32'>;
};

export const presets: ImagePresets = {
  imagenet: { resize: 256, crop: [224, 224], ...imagenetScale },
  clip: {
    resize: 224,
    filter: 'bicubic',
    crop: [224, 224],
    scale: byte,
    mean: [0.48145466, 0.4578275, 0.40821073],
    std: [0.26862954, 0.26130258, 0.27577711],
  },
  siglip: { resize: [224, 224], filter: 'bicubic', ...halfScale },
  vit: { resize: [224, 224], ...halfScale },
  deit: { resize: 256, filter: 'bicubic', crop: [224, 224], ...imagenetScale },
  dinov2: { resize: 256, filter: 'bicubic', crop: [224, 224], ...imagenetScale },
  mobilenet: { resize: 256, crop: [224, 224], ...halfScale },
  yolo: { resize: [640, 640], fit: 'contain', antialias: false, fill: 114, scale: byte },
  yolox: { resize: [640, 640], fit: 'contain', position: 'top-left', antialias: false, fill: 114, channels: 'bgr' },
  sam: { resize: [1024, 1024], fit: 'contain', position: 'top-left', fill: [124, 116, 104], ...imagenetScale },
  'ppocr-detection': { resize: [960, 960], ...ocr, ...imagenetScale },
  'ppocr-recognition': { resize: [48, 320], ...ocr, fill: 128, ...halfScale },
  'ppocr-direction': { resize: [48, 192], ...ocr, fill: 128, ...halfScale },
};
