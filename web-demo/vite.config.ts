import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, type PreviewServer, type ViteDevServer } from 'vite';
import { realModels, realNames } from './real-models.js';
import { siteFacts } from './site-facts.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const packageFile = fileURLToPath(new URL('../dist/index.js', import.meta.url));

const tasksFile = fileURLToPath(new URL('../dist/tasks.js', import.meta.url));
const wasmFile = fileURLToPath(new URL('../dist/broadloom.wasm', import.meta.url));

const site = siteFacts(packageFile);

/** The modules `virtual:facts`, `virtual:aliases` and `virtual:presets`, and the files of the operators. */
function facts(): Plugin {
  return {
    name: 'facts',
    resolveId: (id) => (/^virtual:(facts|aliases|presets)$/.test(id) ? `\0${id}` : undefined),
    async load(id) {
      if (id === '\0virtual:facts') return (await site).facts;
      if (id === '\0virtual:presets') return (await site).presets;
      return id === '\0virtual:aliases' ? (await site).aliases : undefined;
    },
    configureServer({ middlewares }) {
      middlewares.use(async ({ url = '' }, response, next) => {
        const text = (await site).files.get(url.replace(/^\//, ''));
        if (text === undefined) return next();
        response.setHeader('Content-Type', 'application/json').end(text);
      });
    },
  };
}

/** Writes the files of the operators into the site. */
function operatorFiles(): Plugin {
  return {
    name: 'operator-files',
    apply: 'build',
    async generateBundle() {
      for (const [fileName, source] of (await site).files) this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

/** Files that are fetched only when somebody asks for them: some are kept offline from then on (src/service-worker.ts). */
const lazyFiles = /\.map$|\/(onnxruntime|ort-|preview\.png|simplify\/real\/)[^/]*$/;

/** Writes the list of the site's files, each with a hash of what it holds, into the service worker. */
function precacheList(): Plugin {
  let folder = '';
  return {
    name: 'precache-list',
    apply: 'build',
    configResolved: (config) => {
      folder = config.build.outDir;
    },
    writeBundle() {
      const worker = join(folder, 'service-worker.js');
      const files = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((file) => file !== worker && !lazyFiles.test(file));
      const list = files.map((file) => ({
        url: file.slice(folder.length + 1),
        revision: createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16),
      }));
      writeFileSync(
        worker,
        readFileSync(worker, 'utf8').replace(/\w+\.__WB_MANIFEST/, () => JSON.stringify(list)),
      );
    },
  };
}

const { homepage, repository } = JSON.parse(readFileSync(join(here, '../package.json'), 'utf8'));

/** Who shows a preview of a link wants whole addresses: they are known once the package names its homepage. */
function previewAddress(): Plugin {
  const address = (html: string): string =>
    html.replace('content="./preview.png"', `content="${new URL('preview.png', `${homepage}/`)}"`);
  return { name: 'preview-address', transformIndexHtml: (html) => (homepage === undefined ? html : address(html)) };
}

/** The page asks for src/early.ts first: a script of its own runs before those that are larger have come. */
function earlyScript(): Plugin {
  return {
    name: 'early-script',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const early = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'early');
        if (early === undefined) throw new Error('the bundle has no src/early.ts');
        return html.replace(
          '<script ',
          `<script type="module" crossorigin src="./${early.fileName}"></script>\n    <script `,
        );
      },
    },
  };
}

/** The live server puts styles into the page as they are, not as files. */
function liveStyles(): Plugin {
  const live = (html: string): string => html.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");
  return { name: 'live-styles', apply: 'serve', transformIndexHtml: live };
}

const mediaTypes: Record<string, string> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

/** Serves the documents beside the playground, as any server of `build` does: their links lead from one to the other. */
function documents(): Plugin {
  const build = join(here, '../build');
  const serve = ({ middlewares }: ViteDevServer | PreviewServer): void => {
    middlewares.use((request, response, next) => {
      const { pathname } = new URL(request.url ?? '', 'http://localhost');
      if (pathname === '/playground/index.html') return response.writeHead(302, { Location: '/' }).end();
      if (!pathname.startsWith('/reference/')) return next();
      const file = join(build, pathname); // a URL has no ".." in its path
      if (!existsSync(file)) return response.writeHead(404).end('npm run docs builds the documents');
      const type = mediaTypes[extname(file)] ?? 'text/plain';
      return response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` }).end(readFileSync(file));
    });
  };
  return { name: 'documents', configureServer: serve, configurePreviewServer: serve };
}

/** The size that the page tells before onnxruntime-web is downloaded. */
const onnxruntimeBytes = statSync(join(here, 'node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm')).size;

/** Where a page shows the source; package.json may name it as a string or with its kind. */
const sourceAddress = (repository?.url ?? repository ?? null)?.replace(/^git\+|\.git$/g, '') ?? null;

export default defineConfig({
  root: here,
  base: './', // any path of any file server
  resolve: {
    alias: [
      { find: /^broadloom\/broadloom\.wasm(?=\?)/, replacement: wasmFile },
      { find: /^broadloom\/tasks$/, replacement: tasksFile },
      { find: /^broadloom$/, replacement: packageFile },
    ],
  },
  define: { onnxruntimeBytes, realModels: JSON.stringify(realNames), sourceAddress: JSON.stringify(sourceAddress) },
  plugins: [
    facts(),
    operatorFiles(),
    realModels(),
    precacheList(),
    previewAddress(),
    earlyScript(),
    liveStyles(),
    documents(),
  ],
  // The package and what it shares with the page are beside the page's folder.
  server: { fs: { allow: [join(here, '..')] } },
  worker: { format: 'es', plugins: () => [facts()] },
  build: {
    outDir: join(here, '../build/playground'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        index: join(here, 'index.html'),
        early: join(here, 'src/early.ts'),
        'service-worker': join(here, 'src/service-worker.ts'),
      },
      output: {
        // The code that every visitor downloads is one file, however many pages share parts of it: more files compress worse.
        codeSplitting: {
          groups: [
            { name: 'early', test: /src\/early\.ts|broadloom\.wasm/, priority: 1 },
            { name: 'initial', tags: ['$initial'], test: /^(?!.*(service-worker|workbox))/s },
          ],
        },
        entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
      },
    },
  },
});
