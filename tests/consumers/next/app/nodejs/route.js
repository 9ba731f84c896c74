import * as broadloom from 'broadloom';
import { check } from '../../check.js';

export async function GET() {
  return Response.json(await check(broadloom));
}
