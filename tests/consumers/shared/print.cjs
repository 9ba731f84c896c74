const broadloom = require('broadloom');
const onnxruntime = require('broadloom/onnxruntime');
const ort = require('broadloom/ort');
const common = require('onnxruntime-common');
const { check } = require('./check.js');

check(broadloom, { entries: { onnxruntime, ort, common } }).then((result) => console.log(JSON.stringify(result)));
