"""Prints those of the URLs whose server certificate this Python accepts."""
import ssl
import sys
import urllib.error
import urllib.request

context = ssl.create_default_context(cafile=sys.argv[1])
for url in sys.argv[2:]:
    try:
        urllib.request.urlopen(url, context=context).read()
        print(url)
    except urllib.error.HTTPError:
        print(url)
    except urllib.error.URLError as refused:
        if not isinstance(refused.reason, ssl.SSLError):
            raise
        print(url, refused.reason, file=sys.stderr)
