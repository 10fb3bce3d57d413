/** Parts that editors of expressions use, also in a browser: nothing here depends on Node.js. */
export { extensionNames } from './extension-names.ts';
export { sourceRanges } from './template.ts';
