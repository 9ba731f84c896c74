export const visionArchitectures = {};
