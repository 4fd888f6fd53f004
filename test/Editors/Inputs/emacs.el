;;; What somebody at the keyboard of Emacs with Eglot does: see drive.py.  -*- lexical-binding: t -*-
(require 'cl-lib)
(require 'eglot)

(defconst cpr-patience (string-to-number (getenv "CPR_PATIENCE")))
(defconst cpr-work (getenv "CPR_WORK"))
(defconst cpr-file (getenv "CPR_FILE"))
(defconst cpr-ours "\\`\\(or \\)?pipeline this tile loop with ")
(defconst cpr-verified "\\`verify and apply: pipeline with ") ; where there is one loop; these take longer

;; A busy machine answers late.
(setq jsonrpc-default-request-timeout cpr-patience
      eglot-connect-timeout cpr-patience)

(defun cpr-say (&rest fields)
  (let ((line (mapconcat (lambda (f) (replace-regexp-in-string "\n" " " (format "%s" f))) fields "\t")))
    (write-region (concat line "\n") nil (concat cpr-work "/transcript") t 'silent)))

(defun cpr-wait (what condition)
  (let ((end (+ (float-time) cpr-patience)))
    (while (not (funcall condition))
      (when (> (float-time) end)
        (error "waited in vain for %s" what))
      (sit-for 0.02))))

;; What the server changes by itself is asked for, whichever key that takes.
(defun y-or-n-p (&rest _) t)

;; The newest version of the text of which the server has said something; and the one that it was told of last, with the tick of the
;; buffer at that time.
(defvar cpr-said -1)
(defvar cpr-sent '(-1 . -1))
(cl-defmethod eglot-handle-notification :after
  (_server (_method (eql textDocument/publishDiagnostics)) &key uri version &allow-other-keys)
  (when (string-suffix-p (file-name-nondirectory cpr-file) uri)
    (setq cpr-said (max cpr-said (or version -1)))))
(advice-add 'eglot--signal-textDocument/didChange :after
            (lambda (&rest _) (setq cpr-sent (cons (buffer-chars-modified-tick) eglot--versioned-identifier))))

(defun cpr-message (d)
  "The text of a diagnostic without what Eglot puts in front of it and clangd behind it."
  (let ((case-fold-search nil) (text (flymake-diagnostic-text d)))
    (and (string-match "\\`\\(.*: \\)?\\(Pipeline this tile loop with .*\\)" text)
         (match-string 2 text))))

(defun cpr-shown ()
  "The tile loops that are underlined now."
  (sort (cl-remove-if-not #'cpr-message (flymake-diagnostics))
        (lambda (a b) (< (flymake-diagnostic-beg a) (flymake-diagnostic-beg b)))))

(defun cpr-text ()
  (buffer-substring-no-properties (point-min) (point-max)))

(defun cpr-change (what count action)
  "Changes the text and waits for what is said of the new one; with a COUNT, until it is that many loops."
  (undo-boundary)
  (funcall action)
  (undo-boundary)
  (cpr-wait (format "%s diagnostics after: %s" (or count "the") what)
            (lambda ()
              (and (= (car cpr-sent) (buffer-chars-modified-tick))
                   (>= cpr-said (cdr cpr-sent))
                   (or (not count) (= (length (cpr-shown)) count))))))

(defun cpr-undo ()
  (let ((last-command 'ignore))
    (call-interactively #'undo)))

(defun cpr-code-actions (place choose)
  "The menu of code actions at PLACE; CHOOSE gets the titles and returns one of them, or nil."
  (goto-char place)
  (let* ((asked nil)
         (last-nonmenu-event ?\r) ; by the keyboard: no pop-up
         (completing-read-function
          (lambda (_prompt collection &rest _)
            (let* ((titles (all-completions "" collection)) (title (funcall choose titles)))
              (setq asked t)
              (cond ((null title) (signal 'quit nil))
                    ((member title titles) title)
                    (t (error "no code action %s" title)))))))
    (condition-case nil
        (call-interactively #'eglot-code-actions)
      (quit nil))
    (unless asked
      (error "no menu of code actions at line %d" (line-number-at-pos)))))

(defun cpr-main ()
  (cpr-wait "a server" #'eglot-current-server)
  (cpr-wait "diagnostics" #'cpr-shown)
  (let* ((before (cpr-text)) (count 0) (loops (length (cpr-shown)))
         (places (mapcar (lambda (d) (cons (flymake-diagnostic-beg d) (cpr-message d))) (cpr-shown))))
    (dolist (place places)
      (let ((line (line-number-at-pos (car place))) titles)
        (cpr-say "shown" line (cdr place))
        (cpr-code-actions (car place) (lambda (all)
                                        (setq titles (cl-remove-duplicates
                                                      (cl-remove-if-not (lambda (title)
                                                                          (or (string-match-p cpr-ours title)
                                                                              (and (= loops 1) (string-match-p cpr-verified title))))
                                                                        all)
                                                      :test #'equal :from-end t))
                                        nil))
        (dolist (title titles)
          (cpr-say "offered" line title))
        (dolist (title titles)
          (cpr-change title nil
                      (lambda ()
                        (cpr-code-actions (car place) (lambda (_) title))
                        (cpr-wait (concat "the change of " title) (lambda () (not (equal (cpr-text) before))))))
          (save-buffer)
          (copy-file cpr-file (format "%s/fixed.%d.cu" cpr-work count))
          (cpr-say "fixed" count line title)
          (cpr-change "undo" loops #'cpr-undo)
          (save-buffer)
          (cpr-say "undone" count (if (equal (cpr-text) before) "same" "different"))
          (cl-incf count))))
    (cpr-change "an illegal line" 0
                (lambda ()
                  (goto-char (point-min))
                  (while (re-search-forward "^\\([ \t]*\\)__syncthreads();$" nil t)
                    (insert "\n" (match-string 1) (getenv "CPR_ILLEGAL")))))
    (cpr-say "illegal" (length (cpr-shown)))
    (cpr-change "undo" loops #'cpr-undo)
    (cpr-say "again" (length (cpr-shown)))
    (set-buffer-modified-p nil)
    (cpr-say "end")))

(defun cpr-run ()
  (with-current-buffer (find-buffer-visiting cpr-file)
    (condition-case what
        (cpr-main)
      (error
       (cpr-say "failed" (error-message-string what))
       (with-current-buffer "*Messages*"
         (write-region (point-min) (point-max) (concat cpr-work "/editor.log") t))
       (set-buffer-modified-p nil)
       (kill-emacs 1)))
    (kill-emacs 0)))

;; Not before Emacs waits for keys: Eglot, while it connects, throws out of what runs in its waiting.
(add-hook 'emacs-startup-hook (lambda () (run-with-idle-timer 0.1 nil #'cpr-run)))
