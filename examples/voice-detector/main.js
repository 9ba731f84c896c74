// The page: sound from a microphone or a file, and a curve of the probability.
import { newDetector, sampleRate } from './detect.js';

const element = (name) => document.getElementById(name);
const canvas = element('curve');
const pen = canvas.getContext('2d');
const threshold = 0.5;

let sound; // what is heard now: { context, analyser, stop }

function show(text) {
  element('status').textContent = text;
}

/** Starts what `connect(context, detector)` connects; it returns a function that ends it. */
async function hear(connect) {
  stop();
  const context = new AudioContext({ sampleRate });
  const detector = await newDetector(context);
  const analyser = new AnalyserNode(context, { fftSize: 32 });
  // A context only runs what leads to its destination.
  detector
    .connect(analyser)
    .connect(new GainNode(context, { gain: 0 }))
    .connect(context.destination);
  const end = await connect(context, detector);
  sound = { analyser, stop: () => Promise.all([end(), context.close()]) };
  await context.resume();
  pen.clearRect(0, 0, canvas.width, canvas.height);
  requestAnimationFrame(draw);
}

function stop() {
  sound?.stop();
  sound = undefined;
}

async function hearMicrophone(context, detector) {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  context.createMediaStreamSource(stream).connect(detector);
  return () => {
    for (const track of stream.getTracks()) track.stop();
  };
}

const hearFile = (file) => async (context, detector) => {
  const source = new AudioBufferSourceNode(context, {
    buffer: await context.decodeAudioData(await file.arrayBuffer()),
  });
  source.connect(detector);
  source.connect(context.destination);
  source.start();
  source.onended = () => show('The end of the file.');
  return () => source.stop();
};

/** Moves the curve by a pixel and draws the probability at its right end. */
function draw() {
  if (sound === undefined) return;
  const latest = new Float32Array(sound.analyser.fftSize);
  sound.analyser.getFloatTimeDomainData(latest);
  const probability = latest.at(-1);
  const { width, height } = canvas;
  pen.globalCompositeOperation = 'copy'; // in place of what is there
  pen.drawImage(canvas, -1, 0);
  pen.globalCompositeOperation = 'source-over';
  pen.fillStyle = probability > threshold ? '#0a7f5a' : '#9aa5b1';
  pen.fillRect(width - 1, height * (1 - probability), 1, height * probability);
  element('probability').textContent = probability.toFixed(2);
  element('speech').textContent = probability > threshold ? 'speech' : 'no speech';
  requestAnimationFrame(draw);
}

const start = (connect) =>
  hear(connect).then(
    () => show('Listening.'),
    (error) => show(error.message),
  );
element('microphone').onclick = () => start(hearMicrophone);
element('file').onchange = ({ target }) => target.files[0] && start(hearFile(target.files[0]));
element('stop').onclick = () => {
  stop();
  show('Stopped.');
};
