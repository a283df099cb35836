import type { Message } from '../../shared/messages/message.ts';

/** Messages in the order of their first occurrence, each once. */
export class MessageSet {
  readonly #messages = new Map<string, Message>();

  add(message: Message): void {
    const key = JSON.stringify(message);
    if (!this.#messages.has(key)) this.#messages.set(key, message);
  }

  list(): Message[] {
    return [...this.#messages.values()];
  }
}
