// The buttons that start and stop the camera and the microphone.
import { html, nothing, type TemplateResult } from 'lit-html';
import { change, current, onChange, type State } from '../state.js';
import { type PrepareTexts, prepareTexts } from '../texts/prepare.js';
import { longestRecording, type Running, reasonOf, startCamera, startMicrophone } from './devices.js';
import { endFrames, openFile, showFrame } from './session.js';

type Device = 'camera' | 'microphone';

let running: { readonly device: Device; readonly source: Running } | undefined;
let seconds = 0;
/** The device that a person is being asked for. */
let asked: Device | undefined;
/** Why none started. */
let reason: string | undefined;

/** Stops what runs, for something else; a recording is not taken. */
export function leaveDevice(): void {
  running?.source.leave();
}

function ended(): void {
  running = undefined;
  change({});
}

function open(device: Device): Promise<Running> {
  if (device === 'camera') {
    return startCamera(showFrame, () => {
      ended();
      endFrames();
    });
  }
  seconds = 0;
  const tick = (now: number): void => {
    seconds = now;
    change({});
  };
  return startMicrophone(tick, (file) => {
    ended();
    if (file !== undefined) void openFile(file);
  });
}

async function start(device: Device): Promise<void> {
  asked = device;
  reason = undefined;
  change({});
  try {
    const source = await open(device);
    running = { device, source };
    if (current().route.page !== 'prepare') source.leave();
  } catch (error) {
    reason = reasonOf(error);
  }
  asked = undefined;
  change({});
}

onChange(({ route }) => {
  if (route.page !== 'prepare') leaveDevice();
});

function reasonText(t: PrepareTexts, name: string): string {
  if (name === 'noDevices') return t.noDevices;
  return (t.deviceErrors as { readonly [name: string]: string })[name] ?? t.deviceErrors.other;
}

export function devicePart({ language }: State): TemplateResult {
  const t = prepareTexts[language];
  const button = (device: Device, name: string, stopName: string): TemplateResult => {
    const isRunning = running?.device === device;
    return html`<button
      class="button quiet"
      type="button"
      id=${`prepare-${device}`}
      ?disabled=${asked !== undefined || (running !== undefined && !isRunning)}
      @click=${() => (isRunning ? running?.source.stop() : void start(device))}
    >
      ${isRunning ? stopName : name}
    </button>`;
  };
  const isRecording = running?.device === 'microphone';
  return html`<div class="prepare-devices">
      ${button('camera', t.camera, t.stopCamera)} ${button('microphone', t.microphone, t.stopMicrophone)}
      ${isRecording ? html`<span class="muted" id="prepare-recording">${t.recording(seconds, longestRecording)}</span>` : nothing}
    </div>
    <div role="status">
      ${reason === undefined ? nothing : html`<p class="problem" id="prepare-device-problem">${reasonText(t, reason)}</p>`}
    </div>`;
}
