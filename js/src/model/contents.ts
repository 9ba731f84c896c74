import { takesAtMost } from '../basics/superfluous.js';
import type { AnyTensor } from '../tensor/tensor.js';
import type { DataType } from '../tensor/types.js';
import type { Source } from './attributes.js';

/** A part of a file that lies beside a model's. */
export interface ExternalPlace {
  /** The path from the model's folder. */
  readonly location: string;
  /** The first byte. */
  readonly offset: number;
  /** The number of bytes; `null` for all up to the file's end. */
  readonly length: number | null;
}

/** A constant of a model: a tensor that its file, or a file beside it, holds. */
export interface ModelInitializer {
  /** The name of the value, which nodes read. */
  readonly name: string;
  /** Name of the element type. */
  readonly type: DataType;
  /** Sizes of the axes, outermost first. */
  readonly dims: readonly number[];
  /** The bytes that its elements take in memory; of strings, without their characters. */
  readonly bytes: number;
  /**
   * The field of the file that holds the elements: `raw_data`, or the one of the type, such as `float_data`;
   * `sparse_initializer` for a sparse one. `null` where they are in another file, and where there are none.
   */
  readonly field: string | null;
  /** The place of the elements in another file; `null` where the model's own file has them. */
  readonly external: ExternalPlace | null;
  /** The graph that has it, within a node: `graph.node[2].then_branch`. Empty for the model's own graph. */
  readonly graph: string;
  /**
   * The tensor, which is the caller's to dispose of. It shares its bytes with the model until one of them changes.
   *
   * @throws {@link OnnxError} `INVALID_MODEL` for elements in another file that was not given; `DISPOSED`, `OUT_OF_MEMORY`
   */
  read(): AnyTensor;
}

/** A function that a model's file defines. */
export interface ModelFunction {
  /** The domain of its calls. */
  readonly domain: string;
  /** The operator of its calls. */
  readonly name: string;
  /** Tells functions of one name apart; mostly empty. */
  readonly overload: string;
  /** Words about it. */
  readonly docString: string;
}

/** An opset that a model imports. */
export interface OpsetImport {
  /** Empty for ONNX's own operators. */
  readonly domain: string;
  /** The opset's number. */
  readonly version: number;
}

/** The file's words about the model. A text that it does not have is empty. */
export interface ModelMetadata {
  /** The version of the file's format. */
  readonly irVersion: number;
  /** The opsets that the model imports; the domain of ONNX's own operators is empty. */
  readonly opsets: readonly OpsetImport[];
  /** The program that wrote the file. */
  readonly producerName: string;
  /** The version of that program. */
  readonly producerVersion: string;
  /** The model's own name space, such as `com.example`. */
  readonly domain: string;
  /** A bigint from 2^53. */
  readonly modelVersion: number | bigint;
  /** Words about the model. */
  readonly docString: string;
  /** `metadata_props` of the model. */
  readonly properties: { readonly [key: string]: string };
  /** The name of the model's graph. */
  readonly graphName: string;
  /** Words about the model's graph. */
  readonly graphDocString: string;
  /** `metadata_props` of the model's graph. */
  readonly graphProperties: { readonly [key: string]: string };
  /** The functions that the file defines. */
  readonly functions: readonly ModelFunction[];
}

/** @internal */
export interface ModelContents {
  readonly metadata: ModelMetadata;
  readonly initializers: readonly ModelInitializer[];
}

/** As bindings/descriptions/stored_descriptions.cpp writes it. */
interface Described {
  readonly metadata: Omit<ModelMetadata, 'properties' | 'graphProperties' | 'modelVersion'> & {
    readonly modelVersion: number | string;
    readonly properties: readonly (readonly [string, string])[];
    readonly graphProperties: readonly (readonly [string, string])[];
  };
  readonly initializers: readonly (Omit<ModelInitializer, 'read' | 'field'> & { address: number; field: string })[];
}

/** @internal */
export function readContents({ context, check }: Source, handle: number): ModelContents {
  const { memory } = context;
  memory.check(memory.glue.describeModel(handle));
  const { metadata, initializers } = memory.takeJson<Described>();
  const { modelVersion, properties, graphProperties } = metadata;
  return {
    metadata: Object.freeze({
      ...metadata,
      modelVersion: typeof modelVersion === 'string' ? BigInt(modelVersion) : modelVersion,
      properties: Object.fromEntries(properties),
      graphProperties: Object.fromEntries(graphProperties),
    }),
    initializers: Object.freeze(
      initializers.map(({ address, field, ...told }) =>
        Object.freeze({
          ...told,
          field: field || null,
          read() {
            takesAtMost(0, arguments.length, 'read');
            check();
            memory.check(memory.glue.readInitializer(address));
            return context.takeOne() as AnyTensor;
          },
        }),
      ),
    ),
  };
}
