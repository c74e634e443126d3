package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	attempts = 4                // for a request that fails temporarily
	timeOut  = 5 * time.Second  // for one attempt, the body of the answer included
	early    = 10 * time.Second // a token must still be valid when it arrives
)

// APIError is an answer that is an error. Decide by its code; the message is for people.
type APIError struct {
	Status int
	// Code is empty if the body is not from the service: a proxy may have answered.
	Code          string `json:"code"`
	Message       string `json:"message"`
	CorrelationID string
}

func (e *APIError) Error() string {
	return fmt.Sprintf("%d %s: %s (correlation ID %s)", e.Status, e.Code, e.Message, e.CorrelationID)
}

// Client has one certificate. Its tokens are bound to that certificate, so each client has its own.
// It may be shared by goroutines.
type Client struct {
	url      string
	clientID string
	http     *http.Client
	certFile string
	keyFile  string

	files       sync.Mutex
	certificate *tls.Certificate

	mutex     sync.Mutex
	token     string
	tokenEnds time.Time
}

// NewClient reads the certificate, its key and the CA from PEM files. The CA replaces the system's: no other CA is trusted.
func NewClient(baseURL, clientID, caFile, certFile, keyFile string) (*Client, error) {
	ca, err := os.ReadFile(caFile)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(ca) {
		return nil, fmt.Errorf("%s has no certificate", caFile)
	}
	client := &Client{url: baseURL, clientID: clientID, certFile: certFile, keyFile: keyFile}
	transport := &http.Transport{
		// With a custom TLS configuration, net/http offers HTTP/2 only if this is set.
		ForceAttemptHTTP2: true,
		TLSClientConfig:   &tls.Config{GetClientCertificate: client.present, RootCAs: roots},
	}
	client.http = &http.Client{Transport: transport, Timeout: timeOut}
	return client, client.reload()
}

// present gives the certificate to a new connection.
func (c *Client) present(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
	c.files.Lock()
	defer c.files.Unlock()
	return c.certificate, nil
}

// reload reads the files again. A new certificate needs new connections, and a token of its own.
func (c *Client) reload() error {
	certificate, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	c.files.Lock()
	before := c.certificate
	// The files may have been replaced between the two reads. The next call finds a pair that fits.
	isNew := err == nil && (before == nil || !bytes.Equal(before.Certificate[0], certificate.Certificate[0]))
	if isNew {
		c.certificate = &certificate
	}
	c.files.Unlock()
	if isNew {
		c.mutex.Lock()
		c.token = ""
		c.mutex.Unlock()
		c.http.CloseIdleConnections()
	}
	if before == nil {
		return err
	}
	return nil
}

// Ping is the connectivity check.
func (c *Client) Ping(ctx context.Context, query url.Values) error {
	return c.Get(ctx, "/v1/ping", query, nil)
}

// List calls each with every row of a list, once, in order. With a cursor, the filters are exactly those of the first request.
func (c *Client) List(ctx context.Context, path string, filters url.Values, each func(row map[string]any) error) error {
	seen := map[any]bool{}
	sent := map[string]bool{}
	cursor, restarted := "", false
	for {
		query := url.Values{"pageSize": {"5"}}
		for name, values := range filters {
			query[name] = values
		}
		if cursor != "" {
			query.Set("cursor", cursor)
		}
		var page struct {
			Items      []map[string]any `json:"items"`
			NextCursor string           `json:"nextCursor"`
		}
		if err := c.Get(ctx, path, query, &page); err != nil {
			if cursor == "" || restarted || !isStaleCursor(err) {
				return err
			}
			cursor, restarted = "", true
			sent = map[string]bool{}
			continue
		}
		for _, row := range page.Items {
			// A row appears again after a restart, or if new rows arrived during the walk.
			if seen[row["id"]] {
				continue
			}
			seen[row["id"]] = true
			if err := each(row); err != nil {
				return err
			}
		}
		// A page may be empty; the list ends only when there is no cursor.
		if cursor = page.NextCursor; cursor == "" {
			return nil
		}
		if sent[cursor] {
			return fmt.Errorf("%s leads in a circle", path)
		}
		sent[cursor] = true
	}
}

// The wait that Retry-After requests, as a number or a date (RFC 9110 section 10.2.3).
func waitOf(retryAfter string) time.Duration {
	if seconds, err := strconv.Atoi(retryAfter); err == nil {
		return time.Duration(seconds) * time.Second
	}
	date, err := http.ParseTime(retryAfter)
	if err != nil {
		return 0
	}
	return time.Until(date)
}

// After these refusals, a walk starts again without a cursor.
func isStaleCursor(err error) bool {
	var refusal *APIError
	return errors.As(err, &refusal) && (refusal.Code == "INVALID_CURSOR" || refusal.Code == "CURSOR_FILTERS_CHANGED")
}

// Get sends a GET with a token. After a 401 the token is not valid any more: there is one retry with a new token.
func (c *Client) Get(ctx context.Context, path string, query url.Values, into any) error {
	used := ""
	for {
		if err := c.reload(); err != nil {
			return err
		}
		token, err := c.accessToken(ctx, used)
		if err != nil {
			return err
		}
		headers := http.Header{"Authorization": {"Bearer " + token}}
		err = c.send(ctx, http.MethodGet, path, query.Encode(), headers, "", into)
		var refusal *APIError
		if used != "" || !errors.As(err, &refusal) || refusal.Status != http.StatusUnauthorized {
			return err
		}
		used = token
	}
}

// accessToken returns the token, from the cache while it is valid; refused is a token that must not be used again.
func (c *Client) accessToken(ctx context.Context, refused string) (string, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.token != "" && c.token != refused && time.Now().Before(c.tokenEnds) {
		return c.token, nil
	}
	form := url.Values{"client_id": {c.clientID}, "grant_type": {"client_credentials"}, "scope": {"read"}}
	headers := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	var answer struct {
		AccessToken string `json:"access_token"`
		TokenType   string `json:"token_type"`
		ExpiresIn   int    `json:"expires_in"`
	}
	sentAt := time.Now()
	if err := c.send(ctx, http.MethodPost, "/oauth/v2/oauth-token", "", headers, form.Encode(), &answer); err != nil {
		return "", err
	}
	if !strings.EqualFold(answer.TokenType, "bearer") {
		return "", fmt.Errorf("a token of type %s", answer.TokenType)
	}
	c.token = answer.AccessToken
	c.tokenEnds = sentAt.Add(time.Duration(answer.ExpiresIn)*time.Second - early)
	return c.token, nil
}

// send sends a request. Temporary failures are retried: no connection, an incomplete answer, 429 and 5xx. That is safe here,
// because no request of this client changes anything. (net/http itself repeats a GET on a reused connection.)
func (c *Client) send(ctx context.Context, method, path, query string, headers http.Header, body string, into any) error {
	for attempt := 1; ; attempt++ {
		correlationID := newUUID()
		answer, content, err := c.exchange(ctx, method, path+"?"+query, headers, correlationID, body)
		pause := 200 * time.Millisecond << (attempt - 1)
		if err != nil {
			log.Printf("%s %s -> %v, correlation ID %s", method, path, err, correlationID)
			if attempt == attempts || ctx.Err() != nil {
				return err
			}
		} else {
			log.Printf("%s %s -> %d, correlation ID %s", method, path, answer.StatusCode, correlationID)
			retryable := answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode >= 500
			if !retryable || attempt == attempts {
				return read(answer, content, correlationID, into)
			}
			if wait := waitOf(answer.Header.Get("Retry-After")); wait > 0 && wait <= 30*time.Second {
				pause = wait
			}
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (c *Client) exchange(ctx context.Context, method, target string, headers http.Header, correlationID, body string) (*http.Response, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.url+strings.TrimSuffix(target, "?"), strings.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	request.Header = headers.Clone()
	request.Header.Set("X-Correlation-ID", correlationID)
	answer, err := c.http.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer answer.Body.Close()
	// Read here: a body that is cut short is an error.
	content, err := io.ReadAll(answer.Body)
	return answer, content, err
}

// read decodes a success into a value, or returns an APIError.
func read(answer *http.Response, content []byte, correlationID string, into any) error {
	mediaType := answer.Header.Get("Content-Type")
	isJSON := strings.HasPrefix(mediaType, "application/json")
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		refusal := &APIError{Status: answer.StatusCode, CorrelationID: correlationID}
		if isJSON {
			// An error object that cannot be read is an error without a code.
			_ = json.Unmarshal(content, refusal)
		}
		return refusal
	}
	if !isJSON {
		return fmt.Errorf("an answer of the type %s instead of JSON", mediaType)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(content, into)
}

// newUUID makes a version 4 UUID (RFC 9562).
func newUUID() string {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		panic(err)
	}
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
