// Writes all TypeScript that is made from tables: js/src/*/*.generated.ts.
import './generate-bindings.mjs';
import './generate-dtypes.mjs';
import './generate-operators.mjs';
