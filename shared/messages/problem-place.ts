import { msg, quoted, type Message } from './message.ts';

/** What a problem of the payment log concerns: one event, all evidence of an order, a part of the file, a signed head. */
export type ProblemPlace =
  | { kind: 'file' }
  | { kind: 'log' }
  | { kind: 'keychain' }
  | { kind: 'end-file' }
  | { kind: 'event'; number: number }
  /** Of the shared payment log, where several installations write. */
  | { kind: 'installation-event'; name: string; number: number }
  | { kind: 'order'; order: string; profile: string }
  | { kind: 'installation' | 'head-file' | 'table' | 'index' | 'trigger' | 'view'; name: string };

/** A place in words. */
export const placeInWords = (place: ProblemPlace): Message => {
  switch (place.kind) {
    case 'event':
      return msg('integrity.at.event', { number: place.number });
    case 'installation-event':
      return msg('integrity.at.installation-event', { name: place.name, number: place.number });
    case 'order':
      return msg('integrity.at.order', { order: place.order, profile: place.profile });
    case 'head-file':
      return quoted(place.name);
    case 'file':
    case 'log':
    case 'end-file':
    case 'keychain':
      return msg(`integrity.at.${place.kind}`);
    default:
      return msg(`integrity.at.${place.kind}`, { name: place.name });
  }
};
