// The steps of a picture as Python: Pillow and NumPy, OpenCV for `antialias: false`, or torchvision where it has the steps.
import type { ImageOptions } from 'broadloom';

/** Numbers as Python writes them. */
function number(value: number): string {
  if (value === 1 / 255) return '1 / 255';
  return value === 1 / 127.5 ? '1 / 127.5' : String(value);
}

function numbers(value: number | readonly number[]): string {
  return typeof value === 'number' ? number(value) : `[${value.map(number).join(', ')}]`;
}

/** The part of rows and columns that is kept; places outside of the picture are filled. */
const windowLines = [
  'def window(pixels, top, left, height, width, fill):',
  '    result = np.full((height, width, pixels.shape[2]), fill, np.uint8)',
  '    first, last = max(top, 0), min(top + height, pixels.shape[0])',
  '    begin, end = max(left, 0), min(left + width, pixels.shape[1])',
  '    if first < last and begin < end:',
  '        result[first - top:last - top, begin - left:end - left] = pixels[first:last, begin:end]',
  '    return result',
  '',
  '',
];

const centerLines = [
  'def center(size, wanted):  # half of what is cut off, rounded to even; half of what is added, rounded down',
  '    return round((size - wanted) / 2) if size >= wanted else -((wanted - size) // 2)',
  '',
  '',
];

/** Lines that set `new_height`, `new_width`, and where the result begins in the resized picture. */
function sizeLines({ resize, fit = 'fill', position = 'center' }: ImageOptions): string[] {
  if (resize === undefined) return [];
  if (typeof resize === 'number') {
    return [
      'shorter = min(height, width)',
      `new_height, new_width = ${resize} * height // shorter, ${resize} * width // shorter`,
    ];
  }
  const [height, width] = resize as [number, number];
  if (fit === 'fill') return [`new_height, new_width = ${height}, ${width}`];
  const places =
    position === 'top-left'
      ? ['top, left = 0, 0']
      : fit === 'cover'
        ? [`top, left = center(new_height, ${height}), center(new_width, ${width})`]
        : [`top = -round((${height} - new_height) / 2 - 0.1)`, `left = -round((${width} - new_width) / 2 - 0.1)`];
  return [
    `scale = ${fit === 'contain' ? 'min' : 'max'}(${height} / height, ${width} / width)`,
    'new_height, new_width = max(1, round(height * scale)), max(1, round(width * scale))',
    ...places,
  ];
}

/** Lines that take the part that is kept. */
function partLines(options: ImageOptions): string[] {
  const { resize, fit = 'fill', crop, fill = 0 } = options;
  const hasPlace = typeof resize === 'object' && fit !== 'fill';
  if (crop === undefined && !hasPlace) return [];
  const size = hasPlace ? (resize as readonly number[]) : ['pixels.shape[0]', 'pixels.shape[1]'];
  const before = hasPlace ? ['top + ', 'left + '] : ['', ''];
  if (crop === undefined) return [`pixels = window(pixels, top, left, ${size.join(', ')}, ${numbers(fill)})`];
  if ('top' in crop) {
    const { top, left, height, width } = crop;
    return [`pixels = window(pixels, ${before[0]}${top}, ${before[1]}${left}, ${height}, ${width}, ${numbers(fill)})`];
  }
  const [height, width] = crop as [number, number];
  return [
    `top, left = ${before[0]}center(${size[0]}, ${height}), ${before[1]}center(${size[1]}, ${width})`,
    `pixels = window(pixels, top, left, ${height}, ${width}, ${numbers(fill)})`,
  ];
}

/** Lines that make the elements of bytes. */
function elementLines({ scale, mean, std, type = 'float32', layout = 'nchw' }: ImageOptions): string[] {
  const factor = scale === undefined ? 'pixels' : `pixels * (${number(scale)})`;
  const shifted = mean === undefined ? factor : `${factor} - mean`;
  const divided = std === undefined ? shifted : mean === undefined ? `${shifted} / std` : `(${shifted}) / std`;
  const axes = layout.endsWith('chw') ? '.transpose(2, 0, 1)' : '';
  return [
    ...(mean === undefined ? [] : [`mean = np.array(${numbers(mean)})`]),
    ...(std === undefined ? [] : [`std = np.array(${numbers(std)})`]),
    type === 'uint8' ? 'x = pixels' : `x = (${divided}).astype(np.${type})`,
    ...(axes === '' ? [] : [`x = np.ascontiguousarray(x${axes})`]),
    ...(layout.length === 4 ? ['x = x[np.newaxis]'] : []),
    'print(x.dtype, x.shape)',
    '',
  ];
}

const filters: { readonly [filter: string]: string } = {
  ...{
    nearest: 'NEAREST',
    box: 'BOX',
    bilinear: 'BILINEAR',
    hamming: 'HAMMING',
    bicubic: 'BICUBIC',
    lanczos: 'LANCZOS',
  },
};

function pillowLines({ channels = 'rgb', filter = 'bilinear', resize }: ImageOptions, sizes: string[]): string[] {
  const mode = { rgb: 'RGB', bgr: 'RGB', rgba: 'RGBA', gray: 'L' }[channels];
  const order = { rgb: '', bgr: '[..., ::-1]', rgba: '', gray: '[..., np.newaxis]' }[channels];
  return [
    `image = ImageOps.exif_transpose(Image.open("image.jpg")).convert("${mode}")`,
    ...(resize === undefined ? [] : ['width, height = image.size']),
    ...sizes,
    ...(resize === undefined
      ? []
      : [`image = image.resize((new_width, new_height), Image.Resampling.${filters[filter]})`]),
    `pixels = np.asarray(image)${order}`,
  ];
}

function opencvLines({ channels = 'rgb', resize }: ImageOptions, sizes: string[]): string[] {
  const conversion = { rgb: 'BGR2RGB', bgr: undefined, rgba: 'BGR2RGBA', gray: 'BGR2GRAY' }[channels];
  return [
    'pixels = cv2.imread("image.jpg")  # blue, green, red',
    ...(conversion === undefined ? [] : [`pixels = cv2.cvtColor(pixels, cv2.COLOR_${conversion})`]),
    ...(resize === undefined ? [] : ['height, width = pixels.shape[:2]']),
    ...sizes,
    ...(resize === undefined
      ? []
      : ['pixels = cv2.resize(pixels, (new_width, new_height), interpolation=cv2.INTER_LINEAR)']),
    ...(channels === 'gray' ? ['pixels = pixels[..., np.newaxis]'] : []),
  ];
}

/** NumPy with Pillow; with OpenCV where nothing is averaged. */
export function imagePython(options: ImageOptions): string {
  const sizes = sizeLines(options);
  const parts = partLines(options);
  const usesOpencv = options.antialias === false;
  const usesCenter = [...sizes, ...parts].some((line) => line.includes('center('));
  const functions = [...(usesCenter ? centerLines : []), ...(parts.length > 0 ? windowLines : [])];
  return [
    ...(usesOpencv ? ['import cv2', 'import numpy as np'] : ['import numpy as np', 'from PIL import Image, ImageOps']),
    ...(functions.length > 0 ? ['', '', ...functions] : ['']),
    ...(usesOpencv ? opencvLines(options, sizes) : pillowLines(options, sizes)),
    ...parts,
    ...elementLines(options),
  ].join('\n');
}

/** torchvision's transforms; undefined for options that they do not have. */
export function torchvisionPython(options: ImageOptions): string | undefined {
  const { resize, fit, filter = 'bilinear', antialias, crop, fill, channels, layout, type, scale, mean, std } = options;
  const others = [antialias, fill, channels, layout, type].some((value) => value !== undefined);
  const isFit = fit === undefined || fit === 'fill';
  if (others || !isFit || scale !== 1 / 255 || (crop !== undefined && 'top' in crop)) return undefined;
  const list = (value: number | readonly number[]): string =>
    numbers(typeof value === 'number' ? [value, value, value] : value);
  return [
    'from PIL import Image, ImageOps',
    'from torchvision import transforms',
    '',
    'prepare = transforms.Compose([',
    ...(resize === undefined
      ? []
      : [`    transforms.Resize(${numbers(resize)}, transforms.InterpolationMode.${filters[filter]}),`]),
    ...(crop === undefined ? [] : [`    transforms.CenterCrop(${numbers(crop as readonly number[])}),`]),
    '    transforms.ToTensor(),  # byte / 255, channels first',
    ...(mean === undefined && std === undefined
      ? []
      : [`    transforms.Normalize(mean=${list(mean ?? 0)}, std=${list(std ?? 1)}),`]),
    '])',
    'image = ImageOps.exif_transpose(Image.open("image.jpg")).convert("RGB")',
    'x = prepare(image).unsqueeze(0)',
    'print(x.dtype, tuple(x.shape))',
    '',
  ].join('\n');
}
