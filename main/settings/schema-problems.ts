import type * as z from 'zod';
import type { FieldProblem } from '../../shared/errors.ts';
import { msg, type Message } from '../../shared/messages/message.ts';

/** A problem at a place of a file: `profiles.0.baseUrl`; an empty path is the whole file. */
export const problemAt = (path: readonly PropertyKey[], message: Message): FieldProblem => ({
  path: path.map(String).join('.').slice(0, 200),
  message,
});

/** What a schema found, in words, each with its place. */
export const schemaProblems = ({ issues }: z.core.$ZodError): FieldProblem[] =>
  issues.flatMap(issue =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map(key => problemAt([...issue.path, key], msg('policy.problem.unknown')))
      : [problemAt(issue.path, msg('policy.problem.invalid', { expected: issue.message.slice(0, 200) }))],
  );
