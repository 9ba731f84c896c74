import * as broadloom from 'broadloom';
import { check } from '../../check-entries.js';

export async function GET() {
  return Response.json(await check(broadloom));
}
