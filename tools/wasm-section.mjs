const customSection = 0;

/** A number as unsigned LEB128. */
export function numberBytes(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}

/** The wasm module with a custom section at its end. */
export function withSection(module, name, content) {
  const bytes = Buffer.from([...numberBytes(name.length), ...Buffer.from(name), ...content]);
  return Buffer.concat([module, Buffer.from([customSection, ...numberBytes(bytes.length)]), bytes]);
}
