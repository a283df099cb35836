declare module '*.css';
declare module '*.json?others' {
  import type { Catalogue } from '../shared/messages/format-message.ts';

  const texts: Catalogue;
  // oxlint-disable-next-line import/no-default-export -- what a JSON module is
  export default texts;
}
