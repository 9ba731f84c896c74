/** The lines of photograph.jpg. The model's training had few spaces: it leaves some out. */
const wanted = ['BROADLOOMWEAVERS', 'Carpetsandclothsince1897', 'Open9:00-17:30', '织布机与地毯'];

/** Fails if other texts were read. */
export function checkTexts(lines, where) {
  const read = lines.map((text) => text.replaceAll(' ', ''));
  if (read.join('\n') !== wanted.join('\n')) throw new Error(`${where} read ${JSON.stringify(lines)}`);
}
