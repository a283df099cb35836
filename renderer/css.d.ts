declare module '*.css';
declare module '*.json?others' {
  const texts: import('../shared/messages/format-message.ts').Catalogue;
  export = texts;
}
