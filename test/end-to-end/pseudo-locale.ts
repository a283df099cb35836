import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/build/steps.ts';
import { english, type Catalogue } from '../../tools/browser-harness/console.ts';

/**
 * A third language, made by rule from the English catalogue, that no user can choose: it replaces the German files in a
 * copy of the built window. It is written from right to left in Hebrew letters, about a third longer, and in brackets,
 * so that cut or untranslated text is visible.
 */
export const opening = '⟦';
export const closing = '⟧';

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const letters = 'אבגדהוזחטיכלמנסעפצקרשתאבגדאבגדהוזחטיכלמנסעפצקרשתאבגד';

const inLetters = (text: string): string =>
  text.replaceAll(/[a-zA-Z]/g, letter => letters[plain.indexOf(letter)] ?? letter);

/** The position of the brace that closes the one at `from`. */
const closeOf = (message: string, from: number): number => {
  let depth = 0;
  for (let at = from; at < message.length; at += 1)
    if (message[at] === '{') depth += 1;
    else if (message[at] === '}' && (depth -= 1) === 0) return at;
  throw new Error(`a brace of “${message}” stays open`);
};

/** Replaces the letters of a text; arguments stay, and of a plural only the texts of its branches change. */
const written = (message: string): string => {
  let out = '';
  for (let at = 0; at < message.length;) {
    const open = message.indexOf('{', at);
    if (open < 0) return out + inLetters(message.slice(at));
    const close = closeOf(message, open);
    const argument = message.slice(open + 1, close);
    out += `${inLetters(message.slice(at, open))}{`;
    if (!argument.includes('{')) out += argument;
    for (let within = 0; argument.includes('{') && within < argument.length;) {
      const branch = argument.indexOf('{', within);
      const end = branch < 0 ? argument.length : closeOf(argument, branch);
      out += branch < 0 ? argument.slice(within) : argument.slice(within, branch);
      if (branch >= 0) out += `{${written(argument.slice(branch + 1, end))}}`;
      within = end + 1;
    }
    out += '}';
    at = close + 1;
  }
  return out;
};

const pseudoLine = (message: string): string => {
  const words = message.replaceAll(/\{[^{}]*\}/g, '').length;
  const longer = ' ~~~~~~'.repeat(Math.ceil(words / 20)).slice(0, Math.ceil(words * 0.35));
  return `${opening}${written(message)}${longer}${closing}`;
};

/**
 * A message of the pseudo-locale: in other letters, about a third longer, in brackets. Each line has its own: a message
 * to a customer leaves out the lines without a value.
 */
export const pseudoMessage = (message: string): string =>
  message
    .split('\n')
    .map(line => (line === '' ? '' : pseudoLine(line)))
    .join('\n');

/** The whole catalogue; its language tag gives the direction. */
export const pseudoCatalogue = (): Catalogue => ({
  ...Object.fromEntries(Object.entries(english).map(([key, message]) => [key, pseudoMessage(message)])),
  'language.tag': 'he-IL',
});

/** Makes a copy of the built application in `folder` with the pseudo-locale in the place of German. */
export const pseudoApplication = (folder: string): string => {
  const assets = join(folder, 'out', 'renderer', 'assets');
  cpSync(join(root, 'out'), join(folder, 'out'), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  // The unpacked application has its sources beside it.
  mkdirSync(join(folder, 'main'));
  symlinkSync(join(root, 'assets'), join(folder, 'assets'), 'dir');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  const text = JSON.stringify(pseudoCatalogue());
  // The texts of the first screen are the module's default, the others the default of a namespace in it.
  for (const name of [/^de-.*\.js$/, /^other-texts-de-.*\.js$/]) {
    const file = readdirSync(assets).find(one => name.test(one));
    if (file === undefined) throw new Error(`the window has no file ${name}`);
    const namespace = /export\{(\w+)\};?\s*$/.exec(readFileSync(join(assets, file), 'utf8'))?.[1];
    writeFileSync(
      join(assets, file),
      namespace === undefined
        ? `const texts=${text};export{texts as default};`
        : `const ${namespace}={default:${text}};export{${namespace}};`,
    );
  }
  return folder;
};
