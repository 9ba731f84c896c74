const customSection = 0;

/** A number as unsigned LEB128. */
function numberBytes(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}

/** The wasm module with a custom section that holds a text. */
export function withTextSection(module, name, text) {
  const content = Buffer.from([...numberBytes(name.length), ...Buffer.from(name + text)]);
  return Buffer.concat([module, Buffer.from([customSection, ...numberBytes(content.length)]), content]);
}
