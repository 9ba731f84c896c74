// The steps of the page "Prepare" as plain data: the texts of its fields. A link holds them; pictures and sounds stay on the page.

/** Fields of a picture: options of `fromImage` as they are typed. An empty one is left out. */
export interface ImageFields {
  readonly resize: string;
  readonly fit: string;
  readonly position: string;
  readonly filter: string;
  readonly antialias: string;
  readonly crop: string;
  readonly fill: string;
  readonly channels: string;
  readonly layout: string;
  readonly type: string;
  readonly scale: string;
  readonly mean: string;
  readonly std: string;
}

/** Fields of a sound. */
export interface SoundFields {
  readonly rate: string;
  readonly features: string;
  readonly seconds: string;
  readonly bins: string;
}

export type ImageField = keyof ImageFields;
export type SoundField = keyof SoundFields;

/** The words of fields that have some, the first one being the default. */
export const imageWords = {
  fit: ['fill', 'cover', 'contain'],
  position: ['center', 'top-left'],
  filter: ['bilinear', 'nearest', 'box', 'hamming', 'bicubic', 'lanczos'],
  antialias: ['true', 'false'],
  channels: ['rgb', 'bgr', 'rgba', 'gray'],
  layout: ['nchw', 'nhwc', 'chw', 'hwc'],
  type: ['float32', 'float16', 'float64', 'uint8'],
} as const satisfies { readonly [name in ImageField]?: readonly string[] };

export const soundWords = {
  features: ['whisper', 'whisper-128', 'openwakeword', 'fbank', 'waveform'],
} as const satisfies { readonly [name in SoundField]?: readonly string[] };

/** The fields of options that do nothing. */
export const noSteps: ImageFields = {
  ...{ resize: '', fit: 'fill', position: 'center', filter: 'bilinear', antialias: 'true', crop: '', fill: '' },
  ...{ channels: 'rgb', layout: 'nchw', type: 'float32', scale: '', mean: '', std: '' },
};

export interface PrepareDraft {
  readonly media: 'image' | 'sound';
  readonly image: ImageFields;
  readonly sound: SoundFields;
}

/** The page begins with the preset `imagenet`, and Whisper's spectrogram. */
export const firstDraft: PrepareDraft = {
  media: 'image',
  image: {
    ...noSteps,
    ...{ resize: '256', crop: '224, 224', scale: '1/255', mean: '0.485, 0.456, 0.406', std: '0.229, 0.224, 0.225' },
  },
  sound: { rate: '16000', features: 'whisper', seconds: '', bins: '80' },
};

/** The part of a draft that is shown. */
export function fieldsOf({ media, image, sound }: PrepareDraft): { readonly [name: string]: string } {
  return media === 'image' ? { ...image } : { ...sound };
}

const longestText = 200;

function isAllowed(words: { readonly [name: string]: readonly string[] }, name: string, text: string): boolean {
  return text.length <= longestText && (words[name]?.includes(text) ?? true);
}

/** The draft as the end of an address; nothing for the first one. */
export function draftToLink(draft: PrepareDraft): string {
  const from = draft.media === 'image' ? { ...noSteps } : firstDraft.sound;
  const fields = Object.entries(fieldsOf(draft));
  const first = fieldsOf(firstDraft);
  if (draft.media === 'image' && fields.every(([name, text]) => text === first[name])) return '';
  const changed = fields.filter(([name, text]) => text !== (from as { readonly [name: string]: string })[name]);
  const query = new URLSearchParams(changed).toString().replaceAll('%2C', ',').replaceAll('+', '%20');
  return `${draft.media}?${query}`;
}

/** The draft of an address, which comes from somebody else; undefined for anything that `draftToLink` does not write. */
export function linkToDraft(link: string): PrepareDraft | undefined {
  const [media, query = ''] = link.split('?', 2);
  if (media !== 'image' && media !== 'sound') return undefined;
  const words: { readonly [name: string]: readonly string[] } = media === 'image' ? imageWords : soundWords;
  const fields: { [name: string]: string } = media === 'image' ? { ...noSteps } : { ...firstDraft.sound };
  for (const [name, text] of new URLSearchParams(query)) {
    if (!Object.hasOwn(fields, name) || !isAllowed(words, name, text)) return undefined;
    fields[name] = text;
  }
  return { ...firstDraft, media, [media]: fields };
}
