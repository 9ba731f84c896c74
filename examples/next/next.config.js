export default {
  // Deployments have only the files of public/ that a route names, and the handler reads this one.
  outputFileTracingIncludes: { '/api/classify': ['./public/direction.onnx'] },
};
