// Errors of texts and files that cannot be read, and notes about those that can. Parts of the text come in quotes, cut short.
import { counted } from '../../../shared/counted.js';
import { npyTexts } from '../../../shared/npy-error.js';
import { texts } from './texts.js';

export const listErrorTexts = texts({
  en: {
    unknownType: (type: string) => `${type} is not an ONNX element type`,
    elision: (index: number, word: string) =>
      `element ${index} is ${word}, which stands for elements that the text leaves out`,
    noWholeNumber: (index: number, word: string) => `element ${index} is ${word}, expected a whole number`,
    noNumber: (index: number, word: string) => `element ${index} is ${word}, expected a number`,
    noComplex: (index: number, word: string) => `element ${index} is ${word}, expected a complex number such as 1+2j`,
    noBoolean: (index: number, word: string) => `element ${index} is ${word}, expected True or False`,
    count: (count: number, wanted: number) =>
      `there ${count === 1 ? 'is' : 'are'} ${counted(count, 'value')}, expected ${wanted === 1 ? 'one' : wanted}`,
    cropCount: (count: number) =>
      `there ${count === 1 ? 'is' : 'are'} ${counted(count, 'value')}, expected 2 (height, width) or 4 (top, left, height, width)`,
    tooMany: (count: number, type: string, most: number) =>
      `${count} ${type} elements are too many; the most here is ${most}`,
    ragged: (part: number, dims: string, before: string) =>
      `the list is ragged: part ${part} has dims ${dims}, the parts before it ${before}`,
    noClosingQuote: (text: string, place: number) => `the string ${text} at character ${place} has no closing quote`,
    noEscape: (text: string, place: number) => `${text} at character ${place} is not an escape sequence`,
    afterArray: (text: string) => `${text} follows the array`,
    callNotClosed: (text: string) => `${text} is never closed`,
    emptyBeforeComma: (place: number) => `there is nothing before the comma at character ${place}`,
    notClosed: (bracket: string, place: number) => `the ${bracket} at character ${place} is never closed`,
    tooDeep: (deepest: number) => `brackets are nested deeper than ${deepest}`,
    closesNothing: (bracket: string, place: number) => `the ${bracket} at character ${place} closes nothing`,
    closedByOther: (open: string, start: number, close: string, end: number) =>
      `the ${open} at character ${start} is closed by ${close} at character ${end}`,
    noPicture: (type: string) => `the file is not a picture that this browser can read (its type is ${type})`,
    tooLargePicture: (width: number, height: number) =>
      `a picture of ${width} by ${height} pixels is too large for this browser`,
    noSound: (type: string) => `the file is not a sound that this browser can read (its type is ${type})`,
    noFile: () => 'no file is chosen: choose or drop one',
    pictureDims: (dims: string, layout: string) =>
      `the dims are ${dims}; a picture as ${layout} needs height and width, and 1, 3 or 4 channels`,
    soundDims: () => 'a sound needs an axis for its samples: the dims are those of a scalar',
    ...npyTexts,
    emptyFile: (name: string) => `the file ${name} is empty: choose one that holds a tensor`,
    modelFile: (name: string) => `${name} is a model, not a tensor`,
    zipBroken: () => 'the archive cannot be read: it is damaged, or compressed in an unknown way',
    zipWithoutNpy: () => 'the file is an archive without .npy files: unpack it, and choose a file that holds a tensor',
    npzMany: (count: number, names: string, wanted: string) =>
      `the file is an archive of ${count} arrays (${names}), and none is called ${wanted}: save the one that you want with np.save`,
    npzChosen: (name: string) => `The archive holds several arrays. This is the one called ${name}.`,
    csvHeading: (heading: string) => `The first line, ${heading}, is a heading. These are the numbers below it.`,
    jsonObject: () =>
      'the JSON object is not a tensor: expected a list, or {"type": "float32", "dims": [2], "data": [1, 2]}',
  },
  zh: {
    unknownType: (type: string) => `${type} 不是 ONNX 的元素类型`,
    elision: (index: number, word: string) => `第 ${index} 个元素是 ${word}，它代表文本中没有列出的元素`,
    noWholeNumber: (index: number, word: string) => `第 ${index} 个元素是 ${word}，应为整数`,
    noNumber: (index: number, word: string) => `第 ${index} 个元素是 ${word}，应为数字`,
    noComplex: (index: number, word: string) => `第 ${index} 个元素是 ${word}，应为复数，例如 1+2j`,
    noBoolean: (index: number, word: string) => `第 ${index} 个元素是 ${word}，应为 True 或 False`,
    count: (count: number, wanted: number) => `有 ${count} 个值，应为 ${wanted} 个`,
    cropCount: (count: number) => `有 ${count} 个值，应为 2 个（高、宽）或 4 个（上、左、高、宽）`,
    tooMany: (count: number, type: string, most: number) =>
      `${count} 个 ${type} 元素超出了这里能生成的数量，最多 ${most} 个`,
    ragged: (part: number, dims: string, before: string) =>
      `列表不齐：第 ${part} 部分的形状为 ${dims}，之前各部分为 ${before}`,
    noClosingQuote: (text: string, place: number) => `第 ${place} 个字符处的字符串 ${text} 缺少结束引号`,
    noEscape: (text: string, place: number) => `第 ${place} 个字符处的 ${text} 不是转义序列`,
    afterArray: (text: string) => `数组之后还有 ${text}`,
    callNotClosed: (text: string) => `${text} 没有闭合`,
    emptyBeforeComma: (place: number) => `第 ${place} 个字符处的逗号之前没有内容`,
    notClosed: (bracket: string, place: number) => `第 ${place} 个字符处的 ${bracket} 没有闭合`,
    tooDeep: (deepest: number) => `括号嵌套超过 ${deepest} 层`,
    closesNothing: (bracket: string, place: number) => `第 ${place} 个字符处的 ${bracket} 没有对应的左括号`,
    closedByOther: (open: string, start: number, close: string, end: number) =>
      `第 ${start} 个字符处的 ${open} 由第 ${end} 个字符处的 ${close} 闭合`,
    noPicture: (type: string) => `这个文件不是本浏览器能读取的图片（其类型为 ${type}）`,
    tooLargePicture: (width: number, height: number) => `${width} × ${height} 像素的图片对本浏览器来说太大`,
    noSound: (type: string) => `这个文件不是本浏览器能读取的声音（其类型为 ${type}）`,
    noFile: () => '尚未选择文件：请选择或拖入一个文件',
    pictureDims: (dims: string, layout: string) =>
      `形状为 ${dims}；按 ${layout} 排列的图片需要高度和宽度，以及 1、3 或 4 个通道`,
    soundDims: () => '声音需要一个采样轴，而当前形状是标量',
    noNpy: () => '这个文件不是 .npy 文件：开头不是 \\x93NUMPY',
    npyVersion: (version: string) => `文件的 .npy 版本为 ${version}，应为 1.0 到 3.0`,
    npyHeaderCut: (bytes: number) => `文件在文件头中就结束了，共 ${bytes} 字节`,
    npyHeader: (text: string) => `无法读取文件头：${text}`,
    npyDtype: (descr: string) => `文件元素的 dtype 为 ${descr}，ONNX 没有这种类型`,
    npyCut: (bytes: number, dims: string, descr: string, wanted: number) =>
      `文件的元素只有 ${bytes} 字节；${dims} 的 ${descr} 需要 ${wanted} 字节`,
    emptyFile: (name: string) => `文件 ${name} 是空的：请选择包含张量的文件`,
    modelFile: (name: string) => `${name} 是模型，不是张量`,
    zipBroken: () => '无法读取这个压缩包：它已损坏，或者采用了这里不支持的压缩方式',
    zipWithoutNpy: () => '这个压缩包里没有 .npy 文件：请解压后选择包含张量的文件',
    npzMany: (count: number, names: string, wanted: string) =>
      `这个压缩包含有 ${count} 个数组（${names}），其中没有名为 ${wanted} 的数组：请用 np.save 单独保存所需的数组`,
    npzChosen: (name: string) => `这个压缩包含有多个数组，这里读取的是 ${name}。`,
    csvHeading: (heading: string) => `第一行 ${heading} 是表头，这里读取的是它下面的数字。`,
    jsonObject: () => '这个 JSON 对象不是张量：应为列表，或 {"type": "float32", "dims": [2], "data": [1, 2]}',
    noCodePoint: (code: number) => `文件中的 ${code} 不是 Unicode 码点`,
    noUtf8: (start: number) => `文件元素第 ${start} 字节处的字符串不是 UTF-8`,
  },
});
