import type { CallbackFields, CallbackForm } from '../../../shared/payments/evidence.ts';
import { msg } from '../../../shared/messages/message.ts';
import { readAtLine } from './read-line.ts';
import { readStructures } from './read-structures.ts';
import {
  initialReading,
  maxDepth,
  maxLineChars,
  type FoundCallback,
  type Reading,
  type Scope,
} from './scope.ts';

const nameList = /\[\s{0,200}\{\s{0,200}["'](?:name|key|field|parameter)["']/iy;
const listOfMaps = /\[\s{0,2000}\{/y;

const innerReader =
  (reading: Reading, depth: number) =>
  (text: string): CallbackFields[] =>
    depth >= maxDepth
      ? []
      : [...scan({ ...reading, ...initialReading, only: null }, text, 0, text.length, depth + 1)].map(
          found => found.fields,
        );

const lineCut = msg('inspection.line-cut', { limit: maxLineChars });

/** Callbacks of a line of which only the start was read. */
function* asCut<T>(found: Generator<FoundCallback, T>): Generator<FoundCallback, T> {
  for (let next = found.next(); ; next = found.next()) {
    if (next.done === true) return next.value;
    yield { ...next.value, doubt: 'cut' };
  }
}

/** Every callback between two places of a text, in its order. */
export function* scan(
  reading: Reading,
  text: string,
  from: number,
  end: number,
  depth: number,
): Generator<FoundCallback> {
  const acceptsForm = (form: CallbackForm): boolean => reading.only === null || reading.only === form;
  const scope: Scope = { reading, text, end, depth, inner: innerReader(reading, depth), acceptsForm };
  let at = from;
  let stop = -1;
  while (at < end) {
    const code = text.charCodeAt(at);
    // Blanks, and the commas and brackets between the items of a long list.
    if (code <= 32 && code !== 9 && code !== 32) {
      at++;
      continue;
    }
    if (code === 0xfeff || code === 0) {
      at++;
      continue;
    }
    if (stop < at) {
      const found = text.indexOf('\n', at);
      stop = found < 0 || found > end ? end : found;
    }
    const char = text.charAt(at);
    if (char === ',' || char === ']') {
      at++;
      continue;
    }
    if (char === '[' && acceptsForm('json')) {
      listOfMaps.lastIndex = at;
      nameList.lastIndex = at;
      if (listOfMaps.test(text) && !nameList.test(text)) {
        at++;
        continue;
      }
    }
    if (char !== '{') {
      const line = text.slice(at, Math.min(stop, at + maxLineChars));
      const isCut = stop - at > maxLineChars;
      const step = yield* isCut
        ? asCut(readAtLine(scope, at, stop, line))
        : readAtLine(scope, at, stop, line);
      if (isCut && step !== null) reading.problems.add(lineCut);
      if (step !== null) {
        at = step;
        continue;
      }
    }
    at = yield* readStructures(scope, at, stop);
  }
}
