// The check's data is base64, which worklets cannot read.
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const values = new Map([...digits].map((digit, i) => [digit, i]));

globalThis.atob ??= (text) => {
  const characters = [];
  let bits = 0;
  let count = 0;
  for (const digit of text) {
    if (digit === '=') break;
    bits = ((bits << 6) | values.get(digit)) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    characters.push(String.fromCharCode((bits >> count) & 0xff));
  }
  return characters.join('');
};
