// The camera, frame by frame, and the microphone as a recorded file. Nothing that they give leaves the page.
import { pixelsOf } from './decode.js';
import type { Pixels } from './protocol.js';

/** A device that runs until it is stopped, or until it ends by itself. */
export interface Running {
  stop(): void;
  /** Stops without a result. */
  leave(): void;
}

/** Why a device did not start: the name of the browser's error. */
export function reasonOf(error: unknown): string {
  return typeof navigator.mediaDevices === 'undefined' ? 'noDevices' : (error as Error).name;
}

function release(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Waits for the next frame, and no longer than a second: pages in the background get none. */
function nextFrame(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => resolve();
    if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(done);
    else requestAnimationFrame(done);
    setTimeout(done, 1000);
  });
}

/**
 * Starts the camera. The next frame is taken when `use` is done with the one before.
 *
 * @param end is called once, when no more frames come
 */
export async function startCamera(use: (frame: Pixels) => Promise<void>, end: () => void): Promise<Running> {
  const wanted = { video: { width: { ideal: 640 }, facingMode: { ideal: 'environment' } } };
  const stream = await navigator.mediaDevices.getUserMedia(wanted);
  const video = document.createElement('video');
  Object.assign(video, { muted: true, playsInline: true, srcObject: stream });
  let isRunning = true;
  const stop = (): void => {
    if (!isRunning) return;
    isRunning = false;
    release(stream);
    video.srcObject = null;
    end();
  };
  for (const track of stream.getTracks()) track.addEventListener('ended', stop);
  const run = async (): Promise<void> => {
    await video.play();
    while (isRunning) {
      await nextFrame(video);
      const { videoWidth, videoHeight } = video;
      if (isRunning && videoWidth > 0) await use(pixelsOf(video, videoWidth, videoHeight));
    }
  };
  void run().catch(stop);
  return { stop, leave: stop };
}

/** The longest recording in seconds. */
export const longestRecording = 30;

/**
 * Records the microphone until it is stopped, or for `longestRecording`.
 *
 * @param tick is called every second with the seconds so far
 * @param end gets the recording, once; none after `leave`
 */
export async function startMicrophone(
  tick: (seconds: number) => void,
  end: (file: File | undefined) => void,
): Promise<Running> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const recorder = new MediaRecorder(stream);
  const parts: Blob[] = [];
  let seconds = 0;
  let isLeft = false;
  const timer = setInterval(() => {
    tick(++seconds);
    if (seconds >= longestRecording) stop();
  }, 1000);
  const stop = (): void => {
    if (recorder.state !== 'inactive') recorder.stop();
  };
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
  recorder.addEventListener('stop', () => {
    clearInterval(timer);
    release(stream);
    // Some browsers call a sound alone a video: the part after the slash is the same.
    const type = recorder.mimeType.replace(/^video/, 'audio') || 'audio/webm';
    end(isLeft ? undefined : new File(parts, '', { type }));
  });
  recorder.start();
  const leave = (): void => {
    isLeft = true;
    stop();
  };
  return { stop, leave };
}
