import { codeOf } from '../../shared/errors.ts';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import {
  commandFormatter,
  isKnownLanguage,
  languageChoices,
  languageOption,
} from '../../shared/messages/command-language.ts';
import { msg, type Message } from '../../shared/messages/message.ts';
import { printable } from '../../shared/messages/printable.ts';

/** What the commands have in common: the language of their messages, their usage, and files. */
export const startCommand = (usage: Message) => {
  const format = commandFormatter(process.argv.slice(2), process.env);
  // What reads the output may end first, as with `| head`.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  /** Ends with exit code 2, for wrong usage or a file that cannot be read. */
  const stop = (message: Message): never => {
    process.stderr.write(`${printable(format(message))}\n\n${format(usage)}\n`);
    process.exit(2);
  };
  const parse = <O extends NonNullable<ParseArgsConfig['options']>>(options: O) => {
    try {
      const help = { help: { type: 'boolean', short: 'h' } } as const;
      return parseArgs({ allowPositionals: true, options: { ...options, ...languageOption, ...help } });
    } catch {
      return stop(msg('command.wrong-option'));
    }
  };
  return {
    format,
    stop,
    /** The arguments. Ends if an option or the language is unknown, and after printing the usage for `--help`. */
    readArguments: <O extends NonNullable<ParseArgsConfig['options']>>(options: O) => {
      const read = parse(options);
      const { help, language } = read.values as { help?: boolean; language?: string };
      if (help) {
        process.stdout.write(`${format(usage)}\n`);
        process.exit(0);
      }
      if (!isKnownLanguage(language)) stop(msg('command.language-unknown', { languages: languageChoices }));
      return read;
    },
    readFile: (file: string): Buffer => {
      try {
        const handle = openSync(file, 'r');
        try {
          if (fstatSync(handle).isDirectory()) return stop(msg('command.folder', { file }));
          return readFileSync(handle);
        } finally {
          closeSync(handle);
        }
      } catch (error) {
        return stop(msg('command.unreadable', { file, code: codeOf(error) || '?' }));
      }
    },
    /** The password of a file's content, which may have the mark and the line end of an editor. */
    passwordIn: (content: Buffer): string => {
      const password = content
        .toString('utf8')
        .replace(/^\ufeff/, '')
        .replace(/\r?\n$/, '');
      return password === '' ? stop(msg('inspect.password-empty')) : password;
    },
  };
};
