// The worker: owns the runtime, so that nothing that is computed makes the page stutter. Comlink makes `api` callable.
import { load, type Runtime, type Tensor, type TensorMessage } from 'broadloom';
import { expose, transfer } from 'comlink';
import type { CallDraft, TensorDraft } from '../drafts.js';
import type { FlatGraph } from '../drawing/flat-graph.js';
import { type Pairs, type Picture, pictureOf } from '../drawing/picture.js';
import { addOperator, type Example } from '../facts.js';
import type { PrepareReport } from '../prepare/protocol.js';
import type { PrepareRequest } from '../prepare/work.js';
import type { FileDraft } from '../values/file.js';
import { ListError } from '../values/list-error.js';
import { type PastedPart, pastedPart } from '../values/pasted.js';
import type { Box, BoxLayout } from './boxes.js';
import { buildTensor, refusalOf } from './build-tensor.js';
import { owner as callOwner, computeCall, makeCall, runExample, timeCall, writeCall } from './call.js';
import { type Pixels, pixelsOf, type Top, topOf } from './glance.js';
import { elementsOf } from './inspect.js';
import type {
  CallReport,
  ComputedTensor,
  Elements,
  ExampleReport,
  FeedsReport,
  Made,
  Refusal,
  Summary,
  Times,
} from './protocol.js';
import { forget, withoutLarge } from './store.js';
import { summarize } from './summarize.js';

/** The compiled module, which the page sends first (early.ts); undefined where that did not work. */
const sent = new Promise<WebAssembly.Module | undefined>((resolve) => {
  addEventListener('message', function receive({ data }: MessageEvent) {
    if (!('wasm' in data)) return;
    removeEventListener('message', receive);
    resolve(data.wasm);
  });
});

const runtime = sent
  .then((wasm) => load(wasm && { wasm }))
  .then((ops) => {
    // The page knows those that it shows; here all are known.
    for (const operator of ops.operators()) addOperator({ operator, examples: [] });
    return ops;
  });
runtime.catch(() => {}); // told to whoever asks

/** The tensors that the page looks at, by the name of what made them. */
const kept = new Map<string, readonly Tensor[]>();

function keep(owner: string, tensors: readonly Tensor[]): void {
  for (const tensor of kept.get(owner) ?? []) tensor.dispose();
  kept.set(owner, tensors);
}

function tensorOf(key: string): Tensor | undefined {
  const [owner, index] = key.split('#') as [string, string];
  return kept.get(owner)?.[Number(index)];
}

/** Counts the calls of "Try it": a newer one ends the timing of an older one. */
let callsMade = 0;

/** Runs `work` with the runtime. */
async function answer<R>(work: (ops: Runtime) => R | Promise<R>): Promise<R | Refusal> {
  const ops = await runtime;
  try {
    return await work(ops);
  } catch (error) {
    return refusalOf(error);
  }
}

/** Hands bytes over to the page instead of copying them. */
function handOver(bytes: Uint8Array): Made {
  return transfer({ ok: true, bytes }, [bytes.buffer as ArrayBuffer]);
}

const api = {
  /** Runs an example, whose outputs are known. */
  async example(draft: CallDraft, outputs: Example['outputs']): Promise<ExampleReport> {
    return runExample(await runtime, draft, outputs);
  },

  /** Makes a call, and keeps its tensors to be looked into. */
  call(draft: CallDraft): Promise<CallReport | Refusal> {
    callsMade++;
    return answer((ops) => makeCall(ops, draft, (tensors) => keep(callOwner, tensors)));
  },

  /** Makes a call for a picture. */
  compute(draft: CallDraft): Promise<{ readonly ok: true; readonly outputs: readonly ComputedTensor[] } | Refusal> {
    return answer((ops) => ({ ok: true, outputs: computeCall(ops, draft) }));
  },

  /** How long a call takes: it is made many times. */
  times(draft: CallDraft): Promise<({ readonly ok: true } & Times) | Refusal> {
    const made = callsMade;
    return answer(async (ops) => ({ ok: true, ...(await timeCall(ops, draft, () => made === callsMade)) }));
  },

  /** Elements of a kept tensor; undefined when it is no longer kept. */
  async window(key: string, start: number, count: number): Promise<Elements | undefined> {
    const tensor = tensorOf(key);
    return tensor && elementsOf(await runtime, tensor, start, count);
  },

  /** Statistics and a plane of a kept tensor; undefined for strings and complex numbers, or when it is no longer kept. */
  async summary(key: string, outer: readonly number[]): Promise<Summary | undefined> {
    const tensor = tensorOf(key);
    return tensor && summarize(await runtime, tensor, outer, () => tensorOf(key) === tensor);
  },

  /** The greatest elements of a kept tensor, or its picture; undefined when it is no longer kept. */
  async glance(key: string, what: 'top' | 'picture'): Promise<Top | Pixels | undefined> {
    const tensor = tensorOf(key);
    const ops = await runtime;
    return tensor && (what === 'top' ? topOf(ops, tensor) : pixelsOf(ops, tensor));
  },

  /** The boxes that a kept tensor holds; undefined when it is no longer kept, or its numbers are not boxes. */
  async boxes(key: string, layout: BoxLayout): Promise<readonly Box[] | undefined> {
    const { boxesOf } = await import('./boxes.js');
    const tensor = tensorOf(key);
    const ops = await runtime;
    return tensor && boxesOf(ops, tensor, layout).catch(() => undefined);
  },

  /** A kept tensor as a .npy file; undefined when it is no longer kept. */
  async npy(key: string): Promise<Made | undefined> {
    const { npyFile } = await import('./files.js');
    const tensor = tensorOf(key);
    return tensor && handOver(npyFile(tensor));
  },

  /** Reads a file that somebody dropped or chose as a tensor, which is called `wanted`. */
  async readFile(file: File, wanted: string): Promise<({ readonly ok: true } & FileDraft) | Refusal> {
    const { readTensorFile } = await import('./files.js');
    try {
      const { draft, note } = await readTensorFile(await runtime, file, wanted);
      return { ok: true, draft: withoutLarge(draft), note };
    } catch (error) {
      const finding = error instanceof ListError ? error.finding : undefined;
      return { ok: false, problem: { place: 'file', message: (error as Error).message, finding } };
    }
  },

  /** Takes a pasted text that is too long for the page. Its brackets say the dims, and it may name its type. */
  async readText(text: string): Promise<PastedPart> {
    const asItIs: PastedPart = { values: { kind: 'text', text } };
    try {
      return withoutLarge(pastedPart(text) ?? asItIs);
    } catch {
      return withoutLarge(asItIs); // what is wrong with it is said when a call is made
    }
  },

  /** Drops what `readFile` or `readText` has kept. */
  async forget(id: number): Promise<void> {
    forget(id);
  },

  /** Makes the tensors of the inputs of a model, for the runtime that has the model. */
  feeds(drafts: { readonly [input: string]: TensorDraft }): Promise<FeedsReport | Refusal> {
    return answer((ops) =>
      ops.scope(() => {
        const feeds = Object.entries(drafts).map(([name, draft], i) => {
          return [name, buildTensor(ops, draft, `feed:${i}`, name).toMessage() as TensorMessage] as const;
        });
        const buffers = feeds.flatMap(([, { data }]) => (ArrayBuffer.isView(data) ? [data.buffer as ArrayBuffer] : []));
        const report: FeedsReport = { ok: true, feeds: Object.fromEntries(feeds) };
        return transfer(report, buffers);
      }),
    );
  },

  /** Keeps tensors that another worker has made, to be looked into, in the place of those that `owner` had. */
  async keep(owner: string, messages: readonly (TensorMessage | undefined)[]): Promise<void> {
    const ops = await runtime;
    keep(owner, []);
    keep(
      owner,
      messages.map((message) => (message === undefined ? ops.empty('uint8', [0]) : ops.fromMessage(message)) as Tensor),
    );
  },

  /** Prepares a picture or a sound, and keeps its tensor to be looked into. */
  async prepare(request: PrepareRequest): Promise<PrepareReport | Refusal> {
    const { buffersOf, prepare } = await import('../prepare/work.js');
    return answer((ops) => {
      const report = prepare(ops, request, (tensors) => {
        keep('prepare', tensors);
        return 'prepare#0';
      });
      return transfer(report, buffersOf(report));
    });
  },

  /** Draws a graph: once with all of its nodes, and once with blocks that repeat collapsed, if there are such. */
  async picture(graph: FlatGraph): Promise<{ picture: Picture; collapsed: Picture | undefined }> {
    return { picture: pictureOf(graph, graph), collapsed: pictureOf(graph, graph, { isCollapsed: true }) };
  },

  /** Draws two graphs with the same places for the nodes that both have: these pairs, or those that are found again. */
  async pictureOfBoth(
    before: FlatGraph,
    after: FlatGraph,
    pairs?: Pairs,
  ): Promise<{ picture: Picture; collapsed: Picture | undefined }> {
    return {
      picture: pictureOf(before, after, { pairs }),
      collapsed: pictureOf(before, after, { pairs, isCollapsed: true }),
    };
  },

  /** The call as a model of one node. */
  model(draft: CallDraft): Promise<Made | Refusal> {
    return answer((ops) => handOver(writeCall(ops, draft)['model.onnx'] as Uint8Array));
  },

  /** A model of the call, its inputs and its outputs in the layout of ONNX's official tests: a .zip of the folder `name`. */
  async test(draft: CallDraft, name: string): Promise<Made | Refusal> {
    const { archive } = await import('./files.js');
    return answer((ops) => handOver(archive(name, writeCall(ops, draft))));
  },
};

export type Api = typeof api;
expose(api);
