import json
import os
import sys

from payments_client import ApiError, PaymentsClient


NEEDED = ["SANDBOX_URL", "SANDBOX_CLIENT_ID", "SANDBOX_CA_FILE", "SANDBOX_CERT_FILE", "SANDBOX_KEY_FILE"]


def answer(line):
    """What this client understood: a line of the answer sheet for `payments-sandbox exam`."""
    if sheet := os.environ.get("SANDBOX_ANSWERS"):
        with open(sheet, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def main():
    for name in NEEDED:
        if not os.environ.get(name):
            sys.exit(f"{name} is not set: source certs/clients/demo/client.env, or use `payments-sandbox run --`")

    client = PaymentsClient(
        url=os.environ["SANDBOX_URL"],
        client_id=os.environ["SANDBOX_CLIENT_ID"],
        ca_file=os.environ["SANDBOX_CA_FILE"],
        cert_file=os.environ["SANDBOX_CERT_FILE"],
        key_file=os.environ["SANDBOX_KEY_FILE"],
    )

    client.ping()
    print("ping: ok")

    try:
        client.ping(produceError="true")
    except ApiError as error:
        if error.code != "EXAMPLE_ERROR":
            raise
        print(f"example error: {error.status} {error.code}")
        answer({"error": {"operation": "ping", "code": error.code}})

    payouts = list(client.list("/v1/payouts", status="PAID"))
    print(f"paid payouts: {len(payouts)}")
    answer({"list": "payouts", "ids": [payout["id"] for payout in payouts]})
    client.close()


try:
    main()
except Exception as error:
    sys.exit(f"error: {error}")
