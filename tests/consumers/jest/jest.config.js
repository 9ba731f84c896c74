export default {
  setupFiles: ['./jest.setup.js'],
};
