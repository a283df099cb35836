/** The callback that is printed in the documentation of the interface, and its password. */

export const documentedPassword = 'm3rch4ntP4ss';

/** Its fields, one a line. */
export const documentedCallback: readonly string[] = [
  'id=50a1361a-7c2e-11f1-b8d4-0242ac120002',
  'order_number=order-1234',
  'order_amount=10.00',
  'order_currency=USD',
  'order_description=Important gift',
  'type=sale',
  'status=success',
  'customer_ip=203.0.113.7',
  'hash=9eddb423ef8a8c2e36e8717eb5e638cdeb17d957',
];
