import * as broadloom from 'broadloom';
import * as onnxruntime from 'broadloom/onnxruntime';
import * as ort from 'broadloom/ort';
import * as common from 'onnxruntime-common';
import { check } from '../../check.js';

export const runtime = 'edge';

export async function GET() {
  return Response.json(await check(broadloom, { entries: { onnxruntime, ort, common } }));
}
