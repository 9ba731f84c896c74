export const audioArchitectures = {};
