<?php

declare(strict_types=1);

// A client for the business payments service, for PHP 8.1 or later with its curl extension.

/** An answer that is an error. Decide by `$errorCode`; the message is for people. */
final class ApiError extends RuntimeException
{
    /** Null if the body is not from the service: a proxy may have answered. */
    public readonly ?string $errorCode;

    public function __construct(public readonly int $status, array $body, public readonly string $correlationId)
    {
        $this->errorCode = $body['code'] ?? null;
        $message = $body['message'] ?? 'no error object';
        parent::__construct("$status $this->errorCode: $message (correlation ID $correlationId)");
    }
}

/** A connection that could not be opened, or that broke. */
final class ConnectionError extends RuntimeException
{
}

/** A client with one certificate. Its tokens are bound to that certificate, so each client has its own. */
final class PaymentsClient
{
    /** The maximum number of attempts for a request that fails temporarily. */
    private const ATTEMPTS = 4;
    /** Seconds for one attempt. */
    private const TIME_OUT = 5;
    /** Seconds: a token must still be valid when it arrives. */
    private const EARLY = 10;
    /** After these refusals, a walk starts again without a cursor. */
    private const STALE_CURSOR = ['INVALID_CURSOR', 'CURSOR_FILTERS_CHANGED'];

    private readonly CurlHandle $curl;
    private ?string $token = null;
    private float $tokenEnds = 0;

    public function __construct(
        private readonly string $url,
        private readonly string $clientId,
        string $caFile,
        string $certFile,
        string $keyFile,
    ) {
        // One handle, so that its connection is reused. By default, curl verifies certificate and host name.
        $this->curl = curl_init();
        curl_setopt_array($this->curl, [
            // The CA replaces the default ones: no other CA is trusted.
            CURLOPT_CAINFO => $caFile,
            CURLOPT_CAPATH => __DIR__ . '/no-further-cas',
            CURLOPT_SSLCERT => $certFile,
            CURLOPT_SSLKEY => $keyFile,
            CURLOPT_TIMEOUT => self::TIME_OUT,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTPS,
        ]);
    }

    public function ping(array $query = []): array
    {
        return $this->get('/v1/ping', $query);
    }

    /** Every row of a list, once, in order. With a cursor, the filters are exactly those of the first request. */
    public function list(string $path, array $filters = []): Generator
    {
        $seen = [];
        $sent = [];
        $cursor = null;
        $restarted = false;
        do {
            try {
                $page = $this->get($path, [...$filters, 'pageSize' => 5, ...($cursor === null ? [] : ['cursor' => $cursor])]);
            } catch (ApiError $error) {
                if ($cursor === null || $restarted || !in_array($error->errorCode, self::STALE_CURSOR, true)) {
                    throw $error;
                }
                $restarted = true;
                $sent = [];
                $page = null;
            }
            foreach ($page['items'] ?? [] as $row) {
                // A row appears again after a restart, or if new rows arrived during the walk.
                if (!isset($seen[$row['id']])) {
                    $seen[$row['id']] = true;
                    yield $row;
                }
            }
            $cursor = $page['nextCursor'] ?? null;
            if ($cursor !== null && isset($sent[$cursor])) {
                throw new RuntimeException("$path leads in a circle");
            }
            if ($cursor !== null) {
                $sent[$cursor] = true;
            }
            // A page may be empty; the list ends only when there is no cursor.
        } while ($cursor !== null || $page === null);
    }

    /** A GET with a token. After a 401 the token is not valid any more: there is one retry with a new token. */
    public function get(string $path, array $query = []): array
    {
        $target = $query === [] ? $path : $path . '?' . http_build_query($query);
        $answer = $this->send('GET', $target, ["Authorization: Bearer {$this->accessToken()}"]);
        if ($answer['status'] === 401) {
            $this->token = null;
            $answer = $this->send('GET', $target, ["Authorization: Bearer {$this->accessToken()}"]);
        }
        return self::bodyOf($answer);
    }

    private function accessToken(): string
    {
        if ($this->token !== null && self::now() < $this->tokenEnds) {
            return $this->token;
        }
        $form = ['client_id' => $this->clientId, 'grant_type' => 'client_credentials', 'scope' => 'read'];
        $sentAt = self::now();
        $headers = ['Content-Type: application/x-www-form-urlencoded'];
        $token = self::bodyOf($this->send('POST', '/oauth/v2/oauth-token', $headers, http_build_query($form)));
        if (strcasecmp($token['token_type'], 'bearer') !== 0) {
            throw new RuntimeException("a token of type {$token['token_type']}");
        }
        $this->tokenEnds = $sentAt + $token['expires_in'] - self::EARLY;
        return $this->token = $token['access_token'];
    }

    /**
     * Sends a request. Temporary failures are retried: no connection, an incomplete answer, 429 and 5xx. That is safe here,
     * because no request of this client changes anything.
     */
    private function send(string $method, string $target, array $headers, ?string $body = null): array
    {
        for ($attempt = 1; ; $attempt++) {
            $correlationId = self::uuid();
            $answer = $this->exchange($method, $target, [...$headers, "X-Correlation-ID: $correlationId"], $body);
            $path = strtok($target, '?');
            fwrite(STDERR, "$method $path -> " . ($answer['error'] ?? $answer['status']) . ", correlation ID $correlationId\n");
            $last = $attempt === self::ATTEMPTS;
            $pause = 0.2 * 2 ** ($attempt - 1);
            if (isset($answer['error'])) {
                // A retry does not help if the certificate of the server is not trusted.
                if ($last || $answer['errno'] === CURLE_SSL_PEER_CERTIFICATE || $answer['errno'] === CURLE_SSL_CACERT) {
                    throw new ConnectionError($answer['error']);
                }
            } elseif (!$last && ($answer['status'] === 429 || $answer['status'] >= 500)) {
                // A number or a date (RFC 9110 section 10.2.3).
                $after = $answer['headers']['retry-after'] ?? '0';
                $seconds = ctype_digit($after) ? (int) $after : strtotime($after) - time();
                $pause = $seconds > 0 ? min($seconds, 30) : $pause;
            } else {
                return [...$answer, 'correlationId' => $correlationId];
            }
            usleep((int) ($pause * 1_000_000));
        }
    }

    private function exchange(string $method, string $target, array $headers, ?string $body): array
    {
        $received = [];
        curl_setopt_array($this->curl, [
            CURLOPT_URL => $this->url . $target,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_POSTFIELDS => $body,
            CURLOPT_HTTPGET => $body === null,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_HEADERFUNCTION => function ($_curl, string $line) use (&$received): int {
                [$name, $value] = [...explode(':', $line, 2), ''];
                $received[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
        ]);
        $content = curl_exec($this->curl);
        // This includes a body that was cut short.
        if ($content === false) {
            return ['error' => curl_error($this->curl), 'errno' => curl_errno($this->curl)];
        }
        $status = curl_getinfo($this->curl, CURLINFO_RESPONSE_CODE);
        return ['status' => $status, 'headers' => $received, 'content' => $content];
    }

    /** @throws ApiError if the answer is not a success */
    private static function bodyOf(array $answer): array
    {
        $type = $answer['headers']['content-type'] ?? '';
        $isJson = str_starts_with($type, 'application/json');
        $body = $isJson ? json_decode($answer['content'], true, 512, JSON_THROW_ON_ERROR) : [];
        if ($answer['status'] < 200 || $answer['status'] > 299) {
            throw new ApiError($answer['status'], $body, $answer['correlationId']);
        }
        if (!$isJson) {
            throw new RuntimeException("an answer of the type $type instead of JSON");
        }
        return $body;
    }

    /** Seconds on a monotonic clock. */
    private static function now(): float
    {
        return hrtime(true) / 1e9;
    }

    /** RFC 9562, version 4. */
    private static function uuid(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr((ord($bytes[6]) & 0x0f) | 0x40);
        $bytes[8] = chr((ord($bytes[8]) & 0x3f) | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}
