"""A merchant's server that uses the gateway's operations, in Python with the standard library alone.

It reads the interface independently of the console and of the sandbox. It prints the port of its callback
receiver as one JSON line, reads one JSON line with the gateway's address and the merchant's credentials, and
prints what it saw as one JSON line.
"""

import hashlib
import json
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

callbacks = []
arrived = threading.Condition()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode("utf-8")
        with arrived:
            callbacks.append(dict(urllib.parse.parse_qsl(body, keep_blank_values=True)))
            arrived.notify_all()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"OK")

    def log_message(self, *_):
        pass


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect)


def signed(digest, *parts):
    inner = hashlib.new(digest, "".join(parts).upper().encode("utf-8")).hexdigest()
    return hashlib.sha1(inner.encode("ascii")).hexdigest()


def send(request):
    try:
        with opener.open(request, timeout=10) as response:
            return response.status, response.read().decode("utf-8")
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode("utf-8")


class Shop:
    def __init__(self, base_url, merchant_key, password, digest):
        self.base_url, self.merchant_key, self.password, self.digest = base_url, merchant_key, password, digest

    def post(self, path, body, *parts):
        body = {"merchant_key": self.merchant_key, **body, "hash": signed(self.digest, *parts, self.password)}
        request = urllib.request.Request(
            self.base_url + path,
            data=json.dumps(body).encode("utf-8"),
            headers={"Content-Type": "application/json"},
            method="POST",
        )
        status, text = send(request)
        return {"http": status, "json": json.loads(text)}

    def pay(self, number, amount, **extra):
        order = {"number": number, "amount": amount, "currency": "EUR", "description": "Lamp"}
        answer = self.post(
            "/api/v1/session",
            {
                "operation": "purchase",
                "methods": ["card"],
                "order": order,
                "cancel_url": "https://shop.example/cancel",
                "success_url": "https://shop.example/success",
                **extra,
            },
            *order.values(),
        )
        form = urllib.parse.urlencode({"scenario": "pay"}).encode("ascii")
        send(urllib.request.Request(answer["json"]["redirect_url"], data=form))
        return self.post("/api/v1/payment/status", {"order_id": number}, number)["json"]["payment_id"]

    def status(self, payment_id):
        return self.post("/api/v1/payment/status", {"payment_id": payment_id}, payment_id)["json"]["status"]

    def refund(self, payment_id, amount):
        body = {"payment_id": payment_id, "amount": amount}
        return self.post("/api/v1/payment/refund", body, payment_id, amount)

    def void(self, payment_id):
        return self.post("/api/v1/payment/void", {"payment_id": payment_id}, payment_id)

    def charge_again(self, sale, number, amount):
        first, token = sale["recurring_init_trans_id"], sale["recurring_token"]
        order = {"number": number, "amount": amount, "description": "Lamp - second month"}
        body = {"recurring_init_trans_id": first, "recurring_token": token, "order": order}
        return self.post("/api/v1/payment/recurring", body, first, token, *order.values())

    def holds(self, callback):
        names = ("id", "order_number", "order_amount", "order_currency", "order_description")
        return callback["hash"] == signed(self.digest, *(callback[name] for name in names), self.password)

    def callback(self, payment_id, kind, count=1):
        """The latest of at least `count` callbacks of a type, once they arrived."""
        deadline = time.monotonic() + 10
        with arrived:
            while True:
                found = [one for one in callbacks if one["id"] == payment_id and one["type"] == kind]
                if len(found) >= count:
                    return found[-1]
                if not arrived.wait(deadline - time.monotonic()):
                    raise TimeoutError(f"no {kind} callback")


def run(shop):
    seen = {}

    refunded = shop.pay("py-refund", "10.00")
    seen["part"] = shop.refund(refunded, "4.00")["json"]["result"]
    seen["part_callback"] = shop.callback(refunded, "refund")["status"]
    seen["after_part"] = shop.status(refunded)
    seen["too_much"] = shop.refund(refunded, "6.01")["json"]["errors"][0]["error_code"]
    seen["rest"] = shop.refund(refunded, "6.00")["json"]["result"]
    seen["refund_amount"] = shop.callback(refunded, "refund", 2)["order_amount"]
    seen["after_rest"] = shop.status(refunded)

    voided = shop.pay("py-void", "10.00")
    seen["void"] = shop.void(voided)["json"]["payment_status"]
    seen["void_callback"] = shop.callback(voided, "void")["status"]
    seen["void_again"] = shop.void(voided)["http"]

    first = shop.pay("py-first", "10.00", recurring_init=True)
    sale = shop.callback(first, "sale")
    charged = shop.charge_again(sale, "py-second", "7.50")["json"]
    seen["charge"] = charged["status"]
    seen["charge_order"] = charged["order"]
    seen["is_new_payment"] = charged["payment_id"] != first
    seen["same_series"] = shop.callback(charged["payment_id"], "sale")["recurring_init_trans_id"] == first
    forged = {**sale, "recurring_token": "another"}
    seen["forged_token"] = shop.charge_again(forged, "py-third", "7.50")["http"]

    seen["callbacks_hold"] = all(shop.holds(one) for one in callbacks)
    return seen


def vectors(digest):
    """The signatures of one payment, order and password."""
    payment, password = "50a1361a-7c2e-11f1-b8d4-0242ac120002", "m3rch4ntP4ss"
    stored = ("f0e24964-fc43-11ec-a7e0-0242ac120004", "order-1235", "10.00", "Important gift")
    return {
        "refund": signed(digest, payment, "10.00", password),
        "void": signed(digest, payment, password),
        "recurring": signed(digest, payment, *stored, password),
    }


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"port": server.server_address[1]}), flush=True)
    given = json.loads(sys.stdin.readline())
    shop = Shop(given["base_url"], given["merchant_key"], given["merchant_password"], given["digest"])
    print(json.dumps({"seen": run(shop), "vectors": vectors(given["digest"])}), flush=True)


if __name__ == "__main__":
    main()
