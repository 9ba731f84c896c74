// The picture and the sound that the page has, and their last results.

import { writeAddressSoon } from '../address.js';
import type { Problem } from '../drafts.js';
import { ask, latest, unanswered } from '../runtime/client.js';
import { readSource } from '../runtime/files-given.js';
import type { Refusal } from '../runtime/protocol.js';
import { change, current, edit, onChange } from '../state.js';
import { ListError } from '../values/list-error.js';
import { decode } from './decode.js';
import type { ImageFields, PrepareDraft, SoundFields } from './draft.js';
import { FieldError, imageOptions, soundSteps } from './options.js';
import type { ImageReport, Pixels, PrepareReport, Samples, SoundReport } from './protocol.js';
import { type SampleName, samples, testPicture, testSound } from './samples.js';
import type { PrepareRequest } from './work.js';

interface Source<T> {
  /** The name of the file; undefined for a source that the page made itself. */
  readonly name: string | undefined;
  readonly content: T;
}

interface Session {
  readonly image: Source<Pixels> | undefined;
  readonly sound: Source<Samples> | undefined;
  readonly imageReport: ImageReport | undefined;
  readonly soundReport: SoundReport | undefined;
  /** The mistake in the fields, or in the file that was opened last. */
  readonly problem: Problem | undefined;
  readonly isReading: boolean;
  /** Whether pictures come from the camera. */
  readonly isMoving: boolean;
}

let session: Session = {
  ...{ image: undefined, sound: undefined, imageReport: undefined, soundReport: undefined },
  ...{ problem: undefined, isReading: false, isMoving: false },
};

export function currentSession(): Session {
  return session;
}

function set(part: Partial<Session>): void {
  session = { ...session, ...part };
  change({});
}

/** The source that the worker has. */
const sent: { image?: Pixels; sound?: Samples } = {};

function requestOf({ media, image, sound }: PrepareDraft): PrepareRequest | undefined {
  if (media === 'image') {
    const content = session.image?.content;
    if (content === undefined) return undefined;
    const source = sent.image === content ? undefined : content;
    return { kind: 'image', options: imageOptions(image), source, isMoving: session.isMoving };
  }
  const content = session.sound?.content;
  if (content === undefined) return undefined;
  return { kind: 'sound', steps: soundSteps(sound), source: sent.sound === content ? undefined : content };
}

/** The field that the library's message speaks of. */
export function placeOf(message: string, fields: ImageFields | SoundFields): string {
  const field = /^(?:\w+: )?(\w+)/.exec(message)?.[1] ?? '';
  return Object.hasOwn(fields, field) ? `prepare:${field}` : 'prepare';
}

function refusal(error: unknown): Refusal {
  if (!(error instanceof FieldError)) return unanswered(error);
  const { field, reason } = error;
  return { ok: false, problem: { place: `prepare:${field}`, message: reason.message, finding: reason.finding } };
}

async function answerTo(draft: PrepareDraft): Promise<PrepareReport | Refusal | undefined> {
  try {
    const request = requestOf(draft);
    if (request === undefined) return undefined;
    const answer = await ask((worker) => worker.prepare(request));
    // A refused call has its source, too.
    if (request.source !== undefined) Object.assign(sent, { [request.kind]: request.source });
    if (answer.ok) return answer;
    const { problem } = answer;
    return { ok: false, problem: { ...problem, place: placeOf(problem.message, draft[draft.media]) } };
  } catch (error) {
    return refusal(error);
  }
}

function use(answer: PrepareReport | Refusal | undefined): void {
  if (answer === undefined) return;
  if (!answer.ok) set({ problem: answer.problem });
  else set({ problem: undefined, [answer.kind === 'image' ? 'imageReport' : 'soundReport']: answer });
}

const prepareLatest = latest(answerTo, use);

onChange((state, before) => {
  if (state.route.page !== 'prepare') return;
  if (state.prepare === before.prepare && before.route.page === 'prepare') return;
  writeAddressSoon();
  begin();
});

/** Prepares what is there; first of all, a photograph or a voice. */
export function begin(): void {
  const { prepare } = current();
  if (session[prepare.media] !== undefined) prepareLatest(prepare);
  else if (!session.isReading) void openSample(prepare.media === 'image' ? 'photograph' : 'voice');
}

/** Takes a picture or a sound in the place of the one before. */
function take(media: PrepareDraft['media'], source: Source<Pixels | Samples>): void {
  set({ [media]: source, isReading: false, problem: undefined });
  const { prepare } = current();
  if (prepare.media === media) prepareLatest(prepare);
  else edit({ prepare: { ...prepare, media } }, 'prepare:media');
}

/** Counts what is opened: a file that took long must not come after a later one. */
let timesOpened = 0;

/** Takes the picture or the sound of a file, which may have to be fetched first. */
async function open(given: Blob | string, name: string | undefined): Promise<void> {
  const number = ++timesOpened;
  set({ isReading: true });
  try {
    const file = await readSource(given);
    if (!(file instanceof Blob)) throw new Error(file.problem.message);
    const { media, source } = await decode(file);
    if (number === timesOpened) take(media, { name, content: source });
  } catch (error) {
    if (number !== timesOpened) return;
    const { message } = error as Error;
    const finding = error instanceof ListError ? error.finding : undefined;
    set({ isReading: false, problem: { place: 'prepare:file', message, finding } });
  }
}

export function openFile(file: File): Promise<void> {
  return open(file, file.name || undefined);
}

/** Takes a file of the site, or what the page makes itself. */
export function openSample(sample: SampleName): Promise<void> {
  const { file } = samples[sample];
  if (file !== undefined) return open(`./${file}`, file.slice(file.lastIndexOf('/') + 1));
  timesOpened++;
  const isPicture = sample === 'picture';
  take(isPicture ? 'image' : 'sound', { name: undefined, content: isPicture ? testPicture() : testSound() });
  return Promise.resolve();
}

/** Prepares a frame of the camera; resolves when its pictures are shown. */
export async function showFrame(content: Pixels): Promise<void> {
  session = { ...session, image: { name: undefined, content }, isMoving: true };
  const { prepare } = current();
  if (prepare.media !== 'image') edit({ prepare: { ...prepare, media: 'image' } }, 'prepare:media');
  const answer = await answerTo(current().prepare);
  if (session.isMoving) use(answer);
}

/** After the last frame: it is prepared as a picture that stays. */
export function endFrames(): void {
  if (!session.isMoving) return;
  set({ isMoving: false });
  prepareLatest(current().prepare);
}
