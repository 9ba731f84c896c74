import * as broadloom from 'broadloom';
import { check } from './check-entries.js';

export default {
  async fetch() {
    return Response.json(await check(broadloom));
  },
};
