"""Sends a ping with Python's ssl and its strictest checks, and prints the answer: ping.py URL TOKEN CERTS"""
import ssl
import sys
import urllib.request

url, token, certs = sys.argv[1:]
context = ssl.create_default_context(cafile=f"{certs}/ca.pem")
context.verify_flags |= getattr(ssl, "VERIFY_X509_STRICT", 0)
context.load_cert_chain(f"{certs}/clients/demo/cert.pem", f"{certs}/clients/demo/key.pem")
request = urllib.request.Request(f"{url}/v1/ping", headers={"Authorization": f"Bearer {token}"})
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))
print(opener.open(request).read().decode())
