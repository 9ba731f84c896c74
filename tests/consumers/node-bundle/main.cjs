const broadloom = require('broadloom');
const { check } = require('./check.js');

check(broadloom).then((result) => console.log(JSON.stringify(result)));
