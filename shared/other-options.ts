// Options of onnxruntime-web, of onnxsim and of Ultralytics, which people give here.
import { plain } from './names.js';

/** The option that does the same here; empty where nothing is to be done. Names are those of `plain`. */
const others: { readonly [name: string]: string } = {
  agnosticnms: 'acrossClasses',
  checkn: 'verify',
  conf: 'minimumScore',
  confidence: 'minimumScore',
  confidencethreshold: 'minimumScore',
  confthres: 'minimumScore',
  confthreshold: 'minimumScore',
  dynamicinputshape: '',
  executionproviders: '',
  externaldata: 'external',
  fetches: 'outputs',
  freedimensionoverrides: 'dims',
  graphoptimizationlevel: 'optimize',
  iou: 'maximumOverlap',
  iouthres: 'maximumOverlap',
  iouthreshold: 'maximumOverlap',
  includesubgraph: '',
  inputdatapath: 'verify',
  inputshapes: 'shapes',
  maxdet: 'most',
  maxdetections: 'most',
  maxresults: 'most',
  minscore: 'minimumScore',
  names: 'labels',
  nc: 'classes',
  nmsthreshold: 'maximumOverlap',
  nolargetensor: 'maxGrowth',
  overwriteinputshape: 'shapes',
  overwriteinputshapes: 'shapes',
  numclasses: 'classes',
  overlapthreshold: 'maximumOverlap',
  performoptimization: '',
  score: 'minimumScore',
  scorethreshold: 'minimumScore',
  skippedoptimizers: 'skip',
  skipoptimization: 'skip',
  skipshapeinference: '',
  tensorsizethreshold: 'maxGrowth',
  testinputshape: 'verify',
  testinputshapes: 'verify',
  threshold: 'minimumScore',
  topk: 'most',
  unusedoutput: 'outputs',
  wasmbinary: 'wasm',
  wasmpaths: 'wasm',
};

/** Says what does here as another library's option does there, if `known` has it; otherwise empty. */
export function optionInstead(name: string, known: readonly string[], written = (one: string) => `'${one}'`): string {
  const bare = plain(name);
  if (!Object.hasOwn(others, bare)) return '';
  const here = others[bare] as string;
  if (here === '') return ': nothing is needed in its place';
  return known.includes(here) ? `: use ${written(here)}` : '';
}
