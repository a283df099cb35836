/** Size limits of one event, bytes of UTF-8. The shared log refuses larger ones, so that no journal may hold them. */

/** Limit of an order number, a payment id and each other text beside the body. */
export const maxNameBytes = 1_100;
/** Limit of a body's values, of its shape, and of its personal values: a callback of 64 KiB that JSON escapes. */
export const maxTextBytes = 450_000;
