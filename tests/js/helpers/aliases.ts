// `virtual:aliases` for the tests of the playground, as web-demo/site-facts.ts has it.
import { operatorWords } from '../../../web-demo/src/texts/operators.js';

export default Object.entries(operatorWords).map(([name, { aliases, en, zh }]) => ({
  ...{ name, aliases },
  summary: `${en.summary} ${zh.summary}`,
}));
