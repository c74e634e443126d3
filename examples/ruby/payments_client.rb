# A client for the business payments service, with Ruby's standard library only (3.1 or later).

require "json"
require "net/http"
require "openssl"
require "securerandom"
require "time"
require "uri"

# An answer that is an error. Decide by `code`; the message is for people.
class ApiError < StandardError
  attr_reader :status, :code, :correlation_id

  def initialize(status, body, correlation_id)
    @status = status
    # nil if the body is not from the service: a proxy may have answered.
    @code = body["code"]
    @correlation_id = correlation_id
    super("#{status} #{@code}: #{body["message"]} (correlation ID #{correlation_id})")
  end
end

# A client with one certificate. Its tokens are bound to that certificate, so each client has its own.
# It has one connection; give each thread a client of its own.
class PaymentsClient
  ATTEMPTS = 4 # for a request that fails temporarily
  TIME_OUT = 5 # seconds to connect, and for each read
  EARLY = 10 # seconds: a token must still be valid when it arrives
  STALE_CURSOR = %w[INVALID_CURSOR CURSOR_FILTERS_CHANGED].freeze # after these, a walk starts again without a cursor
  BROKEN = [SystemCallError, IOError, Timeout::Error, OpenSSL::SSL::SSLError, Net::ProtocolError,
            Net::HTTPBadResponse, Net::HTTPHeaderSyntaxError].freeze

  Answer = Struct.new(:status, :headers, :content, :correlation_id) do
    def body
      is_json = headers["content-type"].to_s.start_with?("application/json")
      body = is_json ? JSON.parse(content) : {}
      raise ApiError.new(status, body, correlation_id) unless (200..299).cover?(status)
      raise "an answer of the type #{headers["content-type"]} instead of JSON" unless is_json

      body
    end
  end

  def initialize(url:, client_id:, ca_file:, cert_file:, key_file:)
    address = URI(url)
    @client_id = client_id
    @http = Net::HTTP.new(address.host, address.port)
    @http.use_ssl = true
    # The CA replaces the default ones: no other CA is trusted. Certificate and host name are verified.
    @http.ca_file = ca_file
    @cert_file = cert_file
    @key_file = key_file
    @http.open_timeout = @http.read_timeout = @http.write_timeout = TIME_OUT
    # By default, Net::HTTP silently repeats a GET.
    @http.max_retries = 0
    @token = nil
    @token_ends = 0
    reload
  end

  def ping(query = {})
    get("/v1/ping", query)
  end

  # Every row of a list, once, in order. With a cursor, the filters are exactly those of the first request.
  def list(path, filters = {})
    return enum_for(:list, path, filters) unless block_given?

    seen = {}
    sent = {}
    cursor = nil
    restarted = false
    loop do
      begin
        page = get(path, cursor ? { **filters, pageSize: 5, cursor: cursor } : { **filters, pageSize: 5 })
      rescue ApiError => error
        raise if cursor.nil? || restarted || !STALE_CURSOR.include?(error.code)

        cursor = nil
        restarted = true
        sent.clear
        next
      end
      page["items"].each do |row|
        # A row appears again after a restart, or if new rows arrived during the walk.
        yield row unless seen.key?(row["id"])
        seen[row["id"]] = true
      end
      # A page may be empty; the list ends only when there is no cursor.
      cursor = page["nextCursor"]
      return if cursor.nil?
      raise "#{path} leads in a circle" if sent.key?(cursor)

      sent[cursor] = true
    end
  end

  # A GET with a token. After a 401 the token is not valid any more: there is one retry with a new token.
  def get(path, query = {})
    target = "#{path}?#{URI.encode_www_form(query)}"
    reload
    answer = send_request("GET", target, "Authorization" => "Bearer #{access_token}")
    if answer.status == 401
      @token = nil
      reload
      answer = send_request("GET", target, "Authorization" => "Bearer #{access_token}")
    end
    answer.body
  end

  def close
    @http.finish if @http.started?
  rescue IOError
    # It is closed already.
  end

  private

  # Reads the files again. A new certificate needs a new connection, and a token of its own.
  def reload
    cert = OpenSSL::X509::Certificate.new(File.read(@cert_file))
    key = OpenSSL::PKey.read(File.read(@key_file))
    return if @http.cert == cert
    # The files may have been replaced between the two reads. The next call finds a pair that fits.
    return if @http.cert && !cert.check_private_key(key)

    close
    @http.cert = cert
    @http.key = key
    @token = nil
  end

  # The wait that Retry-After requests, as a number or a date (RFC 9110 section 10.2.3): seconds.
  def wait_of(retry_after)
    return retry_after.to_i if retry_after.match?(/\A\d*\z/)

    Time.httpdate(retry_after) - Time.now
  rescue ArgumentError
    0
  end

  def now
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  def access_token
    return @token if @token && now < @token_ends

    form = { client_id: @client_id, grant_type: "client_credentials", scope: "read" }
    headers = { "Content-Type" => "application/x-www-form-urlencoded" }
    sent_at = now
    token = send_request("POST", "/oauth/v2/oauth-token", headers, URI.encode_www_form(form)).body
    raise "a token of type #{token["token_type"]}" unless token["token_type"].casecmp?("bearer")

    @token_ends = sent_at + token["expires_in"] - EARLY
    @token = token["access_token"]
  end

  # Sends a request. Temporary failures are retried: no connection, an incomplete answer, 429 and 5xx. That is safe here,
  # because no request of this client changes anything.
  def send_request(method, target, headers, body = nil)
    (1..ATTEMPTS).each do |attempt|
      correlation_id = SecureRandom.uuid
      pause = 0.2 * 2**(attempt - 1)
      begin
        answer = exchange(method, target, headers, body, correlation_id)
        outcome = answer.status
      rescue *BROKEN => error
        # The state of this connection is unknown.
        close
        answer = nil
        outcome = "#{error.class}: #{error.message}"
      end
      warn "#{method} #{target.split("?").first} -> #{outcome}, correlation ID #{correlation_id}"
      if answer.nil?
        # A retry does not help if the certificate of the server is not trusted.
        raise error if attempt == ATTEMPTS || error.message.include?("certificate verify failed")
      elsif (answer.status == 429 || answer.status >= 500) && attempt < ATTEMPTS
        seconds = wait_of(answer.headers["retry-after"].to_s)
        pause = [seconds, 30].min if seconds.positive?
      else
        return answer
      end
      sleep pause
    end
  end

  def exchange(method, target, headers, body, correlation_id)
    @http.start unless @http.started?
    sent = { **headers, "X-Correlation-ID" => correlation_id, "Accept-Encoding" => "identity" }
    answer = @http.send_request(method, target, body, sent)
    # Net::HTTP does not notice that a body was cut short.
    missing = answer.content_length.to_i - answer.body.to_s.bytesize
    raise EOFError, "#{missing} bytes of the body are missing" if missing.positive?

    Answer.new(answer.code.to_i, answer, answer.body.to_s, correlation_id)
  end
end
