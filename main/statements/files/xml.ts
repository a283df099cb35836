import { SaxesParser } from 'saxes';
import { msg } from '../../../shared/messages/message.ts';
import { StatementRefusal } from './statement-refusal.ts';

/** Limit of nested elements. */
const maxDepth = 64;
/** Limit of one text, characters. */
const maxTextChars = 1_000_000;

export type Element = { name: string; attributes: Readonly<Record<string, string>> };

/** Names without a prefix: files of one kind choose their own. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Reads XML piece by piece. `open` and `close` get the elements from the root to this one; `close` also its own text.
 * Entities of the file are not expanded. Throws `StatementRefusal`.
 */
export const createXmlReader = (on: {
  open?: (path: readonly Element[]) => void;
  close: (path: readonly Element[], text: string) => void;
}) => {
  const parser = new SaxesParser();
  const path: Element[] = [];
  let text = '';
  parser.on('error', error => {
    throw new StatementRefusal(msg('statement-file.xml', { problem: error.message }));
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (path.length >= maxDepth) throw new StatementRefusal(msg('statement-file.xml', { problem: 'depth' }));
    path.push({ name: localName(name), attributes });
    text = '';
    on.open?.(path);
  });
  const addText = (more: string): void => {
    if (text.length + more.length > maxTextChars)
      throw new StatementRefusal(msg('statement-file.xml', { problem: 'text' }));
    text += more;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    on.close(path, text);
    text = '';
    path.pop();
  });
  return {
    write: (piece: string): void => void parser.write(piece),
    end: (): void => void parser.close(),
  };
};
