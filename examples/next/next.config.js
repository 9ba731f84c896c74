export default {
  // Deployments have only the files of public/ that a route names, and the handlers read this one.
  outputFileTracingIncludes: {
    '/api/classify': ['./public/direction.onnx'],
    '/readyz': ['./public/direction.onnx'],
  },
};
