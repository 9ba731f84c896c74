// Changes sections of a wasm module, without touching its code.

const customSection = 0;
const exportSection = 7;

/** Reads an unsigned LEB128 number: its value, and the position behind it. */
function readNumber(bytes, at) {
  let value = 0;
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[at++];
    value += (byte & 127) * scale;
    if (byte < 128) return [value, at];
  }
}

function writeNumber(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}

function renamed(section, nameOf) {
  let [count, at] = readNumber(section, 0);
  const entries = [];
  for (; count > 0; count--) {
    const [length, start] = readNumber(section, at);
    const name = nameOf(section.toString('utf8', start, start + length));
    [, at] = readNumber(section, start + length + 1); // the kind, and an index
    if (name !== undefined) entries.push([name.length, ...Buffer.from(name), ...section.subarray(start + length, at)]);
  }
  return Buffer.from([...writeNumber(entries.length), ...entries.flat()]);
}

/** The module with every export called as `nameOf` calls it, or without those that it has no name for. */
export function renameExports(module, nameOf) {
  const parts = [module.subarray(0, 8)];
  for (let at = 8; at < module.length; ) {
    const [size, start] = readNumber(module, at + 1);
    const content = module.subarray(start, start + size);
    const written = module[at] === exportSection ? renamed(content, nameOf) : content;
    parts.push(Buffer.from([module[at], ...writeNumber(written.length)]), written);
    at = start + size;
  }
  return Buffer.concat(parts);
}

/** The module with a custom section that holds a text. */
export function withTextSection(module, name, text) {
  const content = Buffer.from([...writeNumber(name.length), ...Buffer.from(name + text)]);
  return Buffer.concat([module, Buffer.from([customSection, ...writeNumber(content.length)]), content]);
}
