import { parseSync } from 'vite';

/** One small change of a source text that its tests should notice. */
export type Mutant = {
  /** From 1. */
  line: number;
  /** Offsets of the changed text, characters. */
  start: number;
  end: number;
  original: string;
  replacement: string;
  /** The syntax of the changed text. */
  kind: 'expression' | 'statement' | 'method';
};

type Range = { start: number; end: number };
/** A node of the syntax tree, as far as it is read. */
type Node = Range & { type: string } & Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;

const otherOperators: ReadonlyMap<string, readonly string[]> = new Map([
  ['===', ['!==']],
  ['!==', ['===']],
  ['<', ['<=', '>=']],
  ['<=', ['<', '>']],
  ['>', ['>=', '<=']],
  ['>=', ['>', '<']],
  ['+', ['-']],
  ['-', ['+']],
  ['*', ['+']],
  ['/', ['*']],
  ['%', ['*']],
  ['**', ['*']],
  ['&&', ['||']],
  ['||', ['&&']],
]);

/** Methods that are easily confused. */
const otherMethods: ReadonlyMap<string, string> = new Map([
  ['find', 'findLast'],
  ['findLast', 'find'],
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['indexOf', 'lastIndexOf'],
  ['toUpperCase', 'toLowerCase'],
  ['toLowerCase', 'toUpperCase'],
  ['padStart', 'padEnd'],
  ['padEnd', 'padStart'],
]);

/** Methods that return a changed copy. A mutant leaves the change out. */
const copyingMethods: ReadonlySet<string> = new Set([
  'filter',
  'reverse',
  'slice',
  'sort',
  'toReversed',
  'toSorted',
  'trim',
]);

/** Functions whose arguments are texts for people: tests of a rule do not repeat its words. */
const textFunctions: ReadonlySet<string> = new Set(['fail', 'msg', 'refused', 'RangeError']);

const nameOf = (node: unknown): string =>
  isNode(node) && typeof node['name'] === 'string' ? node['name'] : '';

/** Whether a node contains only types. */
const isType = ({ type }: Node): boolean =>
  type.startsWith('TS') && type !== 'TSAsExpression' && type !== 'TSSatisfiesExpression';

/** The mutants of a source text, in its order, outer before inner. `path`: for the parser. */
export const findMutants = (path: string, text: string): Mutant[] => {
  const found: Mutant[] = [];
  const textOf = ({ start, end }: Range): string => text.slice(start, end);
  const add = (range: Range, replacement: string, kind: Mutant['kind'] = 'expression'): void => {
    const { start, end } = range;
    const line = text.slice(0, start).split('\n').length;
    found.push({ line, start, end, original: textOf(range), replacement, kind });
  };

  const addResult = (value: unknown): void => {
    if (isNode(value) && value.type !== 'BlockStatement' && textOf(value) !== 'null') add(value, 'null');
  };
  const addLiteral = (node: Node): void => {
    const { value } = node;
    if (typeof value === 'boolean') add(node, String(!value));
    if (typeof value === 'number') add(node, String(value + 1));
    if (typeof value === 'bigint') add(node, `${value + 1n}n`);
    if (typeof value === 'string') add(node, value === '' ? "'?'" : "''");
  };
  const addOperators = (node: Node): void => {
    const { left, right, operator } = node;
    if (!isNode(left) || !isNode(right)) return;
    for (const other of otherOperators.get(String(operator)) ?? [])
      add(node, `${textOf(left)} ${other} ${textOf(right)}`);
    if (operator === '??') add(node, textOf(left));
  };
  const addCopy = (node: Node): void => {
    const { callee } = node;
    if (!isNode(callee) || callee.type !== 'MemberExpression' || callee['computed'] === true) return;
    const copied = callee['object'];
    if (isNode(copied) && copyingMethods.has(nameOf(callee['property']))) add(node, textOf(copied));
  };

  const addMutants = (node: Node, isInChain: boolean): void => {
    const { test, argument, expression, property } = node;
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression':
        return addOperators(node);
      case 'UnaryExpression':
        if (isNode(argument) && ['!', '-'].includes(String(node['operator']))) add(node, textOf(argument));
        return;
      case 'IfStatement':
      case 'ConditionalExpression':
        if (isNode(test)) for (const value of ['true', 'false']) add(test, value);
        return;
      case 'WhileStatement':
      case 'ForStatement':
        if (isNode(test)) add(test, 'false');
        return;
      case 'ReturnStatement':
        return addResult(argument);
      case 'ArrowFunctionExpression':
        return addResult(node['body']);
      case 'ExpressionStatement':
        if (isNode(expression)) add(expression, 'void 0');
        return;
      case 'ContinueStatement':
      case 'BreakStatement':
      case 'ThrowStatement':
        return add(node, '', 'statement');
      case 'Literal':
        return addLiteral(node);
      case 'TemplateLiteral':
        return add(node, "''");
      case 'MemberExpression': {
        const other = node['computed'] === true ? undefined : otherMethods.get(nameOf(property));
        if (isNode(property) && other !== undefined) add(property, other, 'method');
        return;
      }
      case 'CallExpression':
        // Parentheses would end an optional chain.
        if (!isInChain) addCopy(node);
        return;
      default:
    }
  };

  const walk = (node: Node, isInChain: boolean): void => {
    if (isType(node) || node.type === 'ImportDeclaration') return;
    addMutants(node, isInChain);
    const { type } = node;
    if (/^(?:Call|New)Expression$/.test(type) && textFunctions.has(nameOf(node['callee']))) return;
    const isChain = type === 'ChainExpression' || (isInChain && /^(?:Call|Member)Expression$/.test(type));
    for (const [key, value] of Object.entries(node)) {
      const isName = (key === 'key' || key === 'property') && node['computed'] !== true;
      // A fallback is covered by the mutant without it.
      const isFallback = key === 'right' && node['operator'] === '??';
      for (const child of Array.isArray(value) ? value : [value]) {
        if (!isNode(child) || isName || (isFallback && child.type === 'Literal')) continue;
        walk(child, isChain && /^(?:expression|callee|object)$/.test(key));
      }
    }
  };
  for (const statement of parseSync(path, text).program.body) if (isNode(statement)) walk(statement, false);
  return found.toSorted((one, other) => one.start - other.start || other.end - one.end);
};
