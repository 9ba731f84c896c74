const broadloom = require('broadloom');
const inline = require('broadloom/inline');
const onnxruntime = require('broadloom/onnxruntime');
const ort = require('broadloom/ort');
const common = require('onnxruntime-common');

async function main() {
  const { check } = await import('./check.js');
  const imported = await import('broadloom');
  console.log(
    JSON.stringify({
      ...(await check(broadloom, { inWorker: {}, entries: { onnxruntime, ort, common } })),
      entry: require.resolve('broadloom'),
      sameAsImport: (await broadloom.load()) === (await imported.load()),
      sameAsInline: (await broadloom.load()) === (await inline.load()),
    }),
  );
}

main();
